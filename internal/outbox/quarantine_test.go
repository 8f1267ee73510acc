package outbox

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
)

// TestQuarantine stores what looks like spam, mails it when its owner asks, and never
// by itself.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	server := mailtest.Listen(t, mailtest.Options{})
	store := openStore(t)
	o := New(Config{Store: store, Sender: overSMTP(t, server), DailySends: 1})
	inquiry, _ := sample()
	if err := o.Quarantine(t.Context(), inquiry); err != nil {
		t.Fatal(err)
	}
	if err := o.recoverAll(t.Context()); err != nil {
		t.Error(err)
	}
	o.notices.Wait()
	notices := server.Messages()
	if len(notices) != 1 {
		t.Fatalf("%d mails, want only the notice", len(notices))
	}
	if _, text := notices[0].Read(t); !strings.Contains(text, "spam: 1.") || strings.Contains(text, secret) {
		t.Errorf("the notice is %s", text)
	}
	if sent, err := o.Resend(t.Context(), inquiry.ID); err != nil || sent.State != records.Sent || len(server.Messages()) != 2 {
		t.Errorf("Resend: %s, %v, %d mails", sent.State, err, len(server.Messages()))
	}
}

// TestNoticesOfQuarantine follows notices over days: one a day at most, at once for the
// first request, and on the next day for what came later and was left there.
func TestNoticesOfQuarantine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := openStore(t)
		var notices []string
		o := New(Config{Store: store, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
			if mail.From != "desk@example.org" || mail.To != "owner@example.org" {
				t.Errorf("a notice from %s to %s", mail.From, mail.To)
			}
			notices = append(notices, mail.Subject)
			return nil
		})})
		came := 0
		spam := func() {
			inquiry, _ := sample()
			came++
			inquiry.ID, inquiry.CreatedAt = fmt.Sprintf("inq_%d", came), time.Now()
			inquiry.MessageID = inquiry.ID + "@example.org"
			if err := o.Quarantine(t.Context(), inquiry); err != nil {
				t.Fatal(err)
			}
			o.notices.Wait()
		}
		nextDay := func() {
			time.Sleep(24 * time.Hour)
			o.remind(t.Context(), time.Now())
			o.remind(t.Context(), time.Now())
		}
		const about = "In quarantine, because they look like spam: "
		for _, step := range []struct {
			name string
			act  func()
			want string // the new notice; empty for none
		}{
			{"the first of a day", spam, about + "1"},
			{"the second", spam, ""},
			{"the next day", nextDay, about + "2"},
			{"one after the notice of a day", spam, ""},
			{"the day after it", nextDay, about + "3"},
			{"a day without any", nextDay, ""},
		} {
			before := len(notices)
			step.act()
			if got := strings.Join(notices[before:], "; "); got != step.want {
				t.Errorf("%s: notices %q, want %q", step.name, got, step.want)
			}
		}
	})
}
