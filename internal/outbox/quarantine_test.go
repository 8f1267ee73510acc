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

// At most one notice a day: at once for the first request, and on the next day for what came later. If one certainly
// failed, the next request tries again; no two are sent at once. What is in quarantine is not mailed, and not counted
// against the limit of the day.
func TestNoticesOfQuarantine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := openStore(t)
		var notices []string
		var failure error
		var late int64
		o := New(Config{Mail: account, Store: store, DailySends: 1, OwnerURL: "/o/", Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
			expect.Same(t, "link in "+mail.Text, true, strings.HasSuffix(mail.Text, "\n\n/o/inquiries?show=spam\n"))
			expect.Same(t, "sender and recipient of a notice", []any{"desk@example.org", "owner@example.org"}, []any{mail.From, mail.To})
			notices = append(notices, mail.Subject)
			first := expect.Value(store.ClaimNotice(t.Context(), records.DayOf(time.Now())-late, noticeQuarantine))(t)
			expect.Same(t, "another instance sends one now", false, first)
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
		const many = " messages look like spam and were held back"
		for _, step := range []struct {
			name string
			act  func()
			want string // the new notice; empty for none
		}{
			{"the first of a day", spam, "1 message looks like spam and was held back"},
			{"the second", spam, ""},
			{"the next day", nextDay, "2" + many},
			{"one after the notice of a day", spam, ""},
			{"the day after it", nextDay, "3" + many},
			{"the day after one that is done", func() {
				spam()
				expect.OK(t, store.MarkInquiry(t.Context(), nth(came).ID, time.Time{}, time.Now()))
				nextDay()
			}, ""},
			{"the first of that day, whose notice fails", fails(errRefused), "4" + many},
			{"the second, soon after it", spam, ""},
			{"the third, an hour later, whose notice may have arrived", func() {
				time.Sleep(reminderInterval)
				fails(errAmbiguous)()
			}, "6" + many},
			{"the fourth", func() { time.Sleep(reminderInterval); spam() }, ""},
			{"two days later, because the reminder failed", func() {
				failure = errRefused
				nextDay()
				failure, late = nil, 1
				nextDay()
			}, "7" + many + "; 7" + many},
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
	o := New(Config{Mail: account, Store: store, DailySends: 2, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
		if strings.Contains(mail.Subject, "daily limit") {
			notices = append(notices, mail)
		}
		return nil
	})})
	pools := limits.NewPools([]limits.Pool{expect.Value(limits.ParsePool("anthropic"))(t)}, []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}, nil)
	for n, from := range []struct {
		addr string
		want contract.Code
	}{
		{"160.79.104.1", ""}, {"160.79.111.1", contract.RateLimited}, // of one pool
		{"198.51.100.1", ""}, {"198.51.100.2", contract.RateLimited}, // without other limits
		{"192.0.2.1", contract.RateLimited},
	} {
		err := deliver(limits.WithClient(t.Context(), pools.ClientOf(netip.MustParseAddr(from.addr))), o, nth(n))
		o.notices.Wait()
		if from.want == "" {
			expect.OK(t, err)
		} else if refusal := contract.AsError(err); refusal.Code != from.want || refusal.RetryAfter != time.Minute || !strings.Contains(refusal.Detail, "daily limit") {
			t.Errorf("request %d: %+v, want %s and a minute", n, refusal, from.want)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0].Text, "look like spam: 0") {
		t.Errorf("notices: %+v, want one that counts what is in quarantine", notices)
	}
	expect.Same(t, "stored", 2, len(expect.Value(store.Inquiries(t.Context(), records.InquiryQuery{}))(t)))
}
