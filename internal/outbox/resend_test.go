package outbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

func TestResend(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		state records.State // before
		ended bool          // the lease of a pending one
		sent  error
		err   error
		want  records.State
	}{
		{"failed", records.Failed, false, nil, nil, records.Sent},
		{"unknown", records.Unknown, false, nil, nil, records.Sent},
		{"interrupted", records.Pending, true, nil, nil, records.Sent},
		{"failed again", records.Failed, false, &mailer.Error{Outcome: mailer.Failed, Stage: "RCPT", Err: errDown}, nil, records.Failed},
		{"under way", records.Pending, false, nil, records.ErrLeased, records.Pending},
		{"sent", records.Sent, false, nil, records.ErrSent, records.Sent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store, mails := openStore(t), []mailer.Message{}
			end := time.Now().Add(time.Hour)
			if tt.ended {
				end = time.Now().Add(-time.Second)
			}
			inquiry := interrupted(t, store, 1, end)
			if tt.state != records.Pending {
				settled := inquiry
				settled.State = tt.state
				expect.OK(t, store.SettleInquiry(t.Context(), settled))
			}
			o := New(Config{Store: store, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
				mails = append(mails, mail)
				return tt.sent
			})})
			got, err := o.Resend(t.Context(), inquiry.ID)
			if !errors.Is(err, tt.err) || (err == nil && got.State != tt.want) {
				t.Errorf("%s, %v; want %s, %v", got.State, err, tt.want, tt.err)
			}
			expect.Same(t, "stored as", tt.want, stored(t, store).State)
			want := []mailer.Message{}
			if tt.err == nil {
				want = append(want, mail(inquiry))
			}
			expect.Same(t, "mails", want, mails)
		})
	}
}

// TestResendIsRecorded: Resend records the outcome of a mail when the database is away
// only for a moment. If it stays away, Resend returns the outcome with an error.
func TestResendIsRecorded(t *testing.T) {
	t.Parallel()
	for away, noted := range map[time.Duration]bool{2 * time.Second: true, time.Minute: false} {
		t.Run(away.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &memory{}
				o := New(Config{Store: store, Sender: senderFunc(func(context.Context, mailer.Message) error {
					store.turn(true)
					time.AfterFunc(away, func() { store.turn(false) })
					return nil
				})})
				got, err := o.Resend(t.Context(), "inq_1")
				if got.State != records.Sent || (err == nil) != noted || (store.state() == records.Sent) != noted {
					t.Errorf("%s, %v, noted as %s; want it sent, and noted: %v", got.State, err, store.state(), noted)
				}
			})
		})
	}
}
