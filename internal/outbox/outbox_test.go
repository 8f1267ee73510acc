package outbox

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
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
				if diff := cmp.Diff(mail, got); diff != "" {
					t.Errorf("mail (-want +got):\n%s", diff)
				}
				during := stored(t, store)
				if left := time.Until(during.Lease.Until); during.State != records.Pending || during.Lease.Owner == "" || left < 50*time.Second || left > time.Minute {
					t.Errorf("while its mail is sent the inquiry is %q, leased to %q for %v; want it pending and leased", during.State, during.Lease.Owner, left)
				}
				return test.sent
			})
			err := New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}).Deliver(t.Context(), inquiry, none, nil)
			checkRefusal(t, err, test.code, test.sent)
			want := inquiry
			want.State, want.Detail = test.state, test.detail
			if diff := cmp.Diff(want, stored(t, store), cmpopts.IgnoreFields(want, "SettledAt", "Lease")); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
			checkLog(t, log, test.state, 1)
		})
	}
}

func TestNotStoredIsNotSent(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	store.Close()
	sender := senderFunc(func(context.Context, mailer.Message) error {
		t.Error("a mail was sent for an inquiry that is not stored")
		return nil
	})
	inquiry, _ := sample()
	err := New(Config{Store: store, Sender: sender}).Deliver(t.Context(), inquiry, none, nil)
	if refusal, ok := errors.AsType[*contract.Error](err); !ok || refusal.Code != contract.InternalError {
		t.Errorf("error = %v, want %s", err, contract.InternalError)
	}
}

// TestSettlingFails: a mail that was sent is a success, even if the database fails later.
func TestSettlingFails(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for name, sent := range map[string]error{"after a success": nil, "after a failure": odd} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, log := openStore(t), &bytes.Buffer{}
			sender := senderFunc(func(context.Context, mailer.Message) error {
				store.Close()
				return sent
			})
			inquiry, _ := sample()
			err := New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}).Deliver(t.Context(), inquiry, none, nil)
			if sent == nil {
				checkRefusal(t, err, "", nil)
				checkLog(t, log, records.Sent, 2)
			} else {
				checkRefusal(t, err, contract.BadGateway, sent)
				checkLog(t, log, records.Unknown, 2)
			}
		})
	}
}

// TestCallerLeaves: a client that leaves during the send does not stop it.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	ctx, leave := context.WithCancel(t.Context())
	sender := senderFunc(func(ctx context.Context, _ mailer.Message) error {
		leave()
		return ctx.Err()
	})
	inquiry, _ := sample()
	if err := New(Config{Store: store, Sender: sender}).Deliver(ctx, inquiry, none, nil); err != nil {
		t.Error(err)
	}
	if state := stored(t, store).State; state != records.Sent {
		t.Errorf("state = %q, want %q", state, records.Sent)
	}
}

func TestSendHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[time.Duration]time.Duration{0: mailer.SendTimeout, time.Second: time.Second} {
		t.Run(want.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				hang := senderFunc(func(ctx context.Context, _ mailer.Message) error {
					<-ctx.Done()
					return &mailer.Error{Outcome: mailer.Failed, Stage: "greeting", Err: ctx.Err()}
				})
				store, log := &memory{}, &bytes.Buffer{}
				inquiry, _ := sample()
				start := time.Now()
				err := New(Config{Store: store, Sender: hang, Timeout: timeout, Log: zerolog.New(log)}).
					Deliver(t.Context(), inquiry, none, nil)
				checkRefusal(t, err, contract.BadGateway, context.DeadlineExceeded)
				if took := time.Since(start); took != want {
					t.Errorf("took %v, want %v", took, want)
				}
				if store.state() != records.Failed {
					t.Errorf("state = %q, want %q", store.state(), records.Failed)
				}
				checkLog(t, log, records.Failed, 1)
			})
		})
	}
}

// TestOverSMTP delivers with real records and a real SMTP conversation.
func TestOverSMTP(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   mailtest.Fault
		state   records.State
		arrived int
	}{
		"delivered":               {mailtest.Fault{}, records.Sent, 1},
		"cut after the 250":       {mailtest.Fault{Stage: mailtest.Quit, Action: mailtest.Cut}, records.Sent, 1},
		"refused":                 {mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse}, records.Failed, 0},
		"refused at the dot":      {mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse}, records.Failed, 0},
		"stored without a reply":  {mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut}, records.Unknown, 1},
		"the greeting never came": {mailtest.Fault{Stage: mailtest.Greeting, Action: mailtest.Hang}, records.Failed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, store, log := mailtest.Listen(t, mailtest.Options{}), openStore(t), &bytes.Buffer{}
			server.SetFault(test.fault)
			outbox := New(Config{Store: store, Sender: overSMTP(t, server), Timeout: time.Second, Log: zerolog.New(log)})
			inquiry, _ := sample()
			err := outbox.Deliver(t.Context(), inquiry, none, nil)
			if delivered := err == nil; delivered != (test.state == records.Sent) {
				t.Errorf("error = %v for an inquiry that is %s", err, test.state)
			}
			if state := stored(t, store).State; state != test.state {
				t.Errorf("state = %q, want %q", state, test.state)
			}
			if mails := server.Messages(); len(mails) != test.arrived {
				t.Errorf("%d mails arrived, want %d", len(mails), test.arrived)
			}
			checkLog(t, log, test.state, 1)
		})
	}
}
