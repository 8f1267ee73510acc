package outbox

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

func TestDeliver(t *testing.T) {
	t.Parallel()
	failure := func(outcome mailer.Outcome) error {
		return &mailer.Error{Outcome: outcome, Stage: "final dot", Err: errors.New("421 busy")}
	}
	tests := []struct {
		name   string
		sent   error
		state  records.State
		detail string
		code   contract.Code // empty for a success
	}{
		{"sent", nil, records.Sent, "", ""},
		{"sent to some", &mailer.Error{Outcome: mailer.Sent, Stage: "RCPT", Err: errors.New("bob@example.org: 550")}, records.Sent, "mail sent, but not to everyone: bob@example.org: 550", ""},
		{"failed", failure(mailer.Failed), records.Failed, "mail failed at final dot: 421 busy", contract.BadGateway},
		{"unknown", failure(mailer.Unknown), records.Unknown, "mail unknown at final dot: 421 busy", contract.BadGateway},
		{"an error without an outcome", errors.New("odd"), records.Unknown, "odd", contract.BadGateway},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			store, log := openStore(t), &bytes.Buffer{}
			inquiry, mail := sample()
			sender := senderFunc(func(_ context.Context, got mailer.Message) error {
				expect.Same(t, "mail", mail, got)
				during := stored(t, store)
				if left := time.Until(during.Lease.Until); during.State != records.Pending || during.Lease.Owner == "" || left < 50*time.Second || left > time.Minute {
					t.Errorf("while its mail is sent the inquiry is %q, leased to %q for %v; want it pending and leased", during.State, during.Lease.Owner, left)
				}
				return test.sent
			})
			err := deliver(t.Context(), New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}), inquiry)
			checkRefusal(t, err, test.code, test.sent)
			if test.code != "" {
				expect.Same(t, "the refusal says that the mail may have arrived", test.state == records.Unknown, strings.Contains(contract.AsError(err).Detail, "may have arrived"))
			}
			want := inquiry
			want.State, want.Detail = test.state, test.detail
			expect.Same(t, "stored", want, stored(t, store), cmpopts.IgnoreFields(want, "SettledAt", "Lease"))
			checkLog(t, log, test.state, 1)
		})
	}
}

// A send ends at its deadline, and the request records how long
// it waited for the mail server.
func TestSendHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := senderFunc(func(ctx context.Context, _ mailer.Message) error {
			<-ctx.Done()
			return &mailer.Error{Outcome: mailer.Failed, Stage: "greeting", Err: ctx.Err()}
		})
		store, log := &memory{}, &bytes.Buffer{}
		inquiry, _ := sample()
		start, request := time.Now(), new(span.Span)
		err := deliver(context.WithValue(t.Context(), span.Key{}, request), New(Config{Store: store, Sender: hang, Log: zerolog.New(log)}), inquiry)
		checkRefusal(t, err, contract.BadGateway, context.DeadlineExceeded)
		if took := time.Since(start); took != mailer.SendTimeout || request.Spent(span.Mail) != took {
			t.Errorf("took %v, of which %v for the mail; want %v", took, request.Spent(span.Mail), mailer.SendTimeout)
		}
		expect.Same(t, "state", records.Failed, store.state())
		checkLog(t, log, records.Failed, 1)
	})
}
