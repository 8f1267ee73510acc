package outbox

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// The first request of a day causes a notice at once, later ones on the next day. What is in quarantine is not mailed,
// and not counted against the limit of the day.
func TestNoticesOfQuarantine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := openStore(t)
		var notices []string
		var failure error
		o := New(Config{Mail: account, Store: store, DailySends: 1, OwnerURL: "/o/", Language: func() string { return "de" }, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
			expect.Holds(t, "a notice", mail.Subject+mail.Text, " nach Spam aus ", "\n/o/inquiries?show=spam\n")
			expect.Same(t, "addresses", []any{"desk@example.org", "owner@example.org"}, []any{mail.From, mail.To})
			notices = append(notices, strings.Fields(mail.Subject)[0])
			today := records.DayOf(time.Now())
			first := expect.Value(store.ClaimNotice(t.Context(), noticeQuarantine, today, today))(t)
			expect.Same(t, "a second claim", false, first)
			return failure
		})})
		came := 0
		spam := func() {
			came++
			inquiry := nth(came)
			inquiry.CreatedAt = time.Now()
			expect.Value(o.Quarantine(t.Context(), inquiry, records.Key{}))(t)
			o.notices.Wait()
		}
		fails := func(err error) func() { return func() { failure = err; spam(); failure = nil } }
		nextDay := func() {
			time.Sleep(24 * time.Hour)
			expect.OK(t, o.recoverAll(t.Context())) // which mails nothing that is in quarantine
			o.remind(t.Context(), time.Now())
			o.remind(t.Context(), time.Now())
		}
		for _, step := range []struct {
			name string
			act  func()
			want string // the number in the new notice
		}{
			{"the first of a day", spam, "1"},
			{"the second", spam, ""},
			{"the next day", nextDay, "2"},
			{"one after the notice of a day", spam, ""},
			{"the day after it", nextDay, "3"},
			{"the day after one that is done", func() {
				spam()
				expect.OK(t, store.MarkInquiry(t.Context(), nth(came).ID, time.Time{}, time.Now()))
				nextDay()
			}, ""},
			{"a notice that fails", fails(errRefused), "4"},
			{"soon after it", spam, ""},
			{"an hour later, maybe sent", func() {
				time.Sleep(reminderInterval)
				fails(errAmbiguous)()
			}, "6"},
			{"one after it", func() { time.Sleep(reminderInterval); spam() }, ""},
			{"a reminder fails for a day", func() {
				failure = errRefused
				nextDay()
				failure = nil
				nextDay()
				spam()
			}, "7; 7"},
			{"the next day", nextDay, "8"},
		} {
			before := len(notices)
			step.act()
			expect.Same(t, step.name+": notices", step.want, strings.Join(notices[before:], "; "))
		}
	})
}

// A request beyond it is not stored, and the owner gets one notice a day, with what is in quarantine. A network has a
// part of it, and a pool is one network.
func TestLimitOfTheDay(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	var notices []mailer.Message
	o := New(Config{Mail: account, Store: store, DailySends: 2, Language: func() string { return "de" }, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
		if strings.HasPrefix(mail.Subject, "Das Tageslimit für Anfragen") {
			notices = append(notices, mail)
		}
		return nil
	})})
	expect.Value(o.Quarantine(t.Context(), nth(9), records.Key{}))(t)
	pools := limits.NewPools([]limits.Pool{expect.Value(limits.ParsePool("anthropic"))(t)}, []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}, nil)
	for n, from := range []string{
		"160.79.104.1", "160.79.111.1", // of one pool
		"198.51.100.1", "198.51.100.2", // without other limits
		"192.0.2.1",
	} {
		err := deliver(limits.WithClient(t.Context(), pools.ClientOf(netip.MustParseAddr(from))), o, nth(n))
		o.notices.Wait()
		if n == 0 || n == 2 {
			expect.OK(t, err)
			continue
		}
		refusal := contract.AsError(err)
		expect.Same(t, from, []any{contract.RateLimited, time.Minute}, []any{refusal.Code, refusal.RetryAfter})
		expect.Holds(t, from, refusal.Detail, "daily limit")
	}
	expect.Same(t, "notices", 1, len(notices))
	expect.Holds(t, "the notice", notices[0].Text, "am Tag höchstens 2, davon aus einem Netz", "\n1 Nachricht sieht nach Spam aus", "--resend ID\n")
	expect.Same(t, "stored", 3, len(expect.Value(store.Inquiries(t.Context(), records.InquiryQuery{}))(t)))
}
