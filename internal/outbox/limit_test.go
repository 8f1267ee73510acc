package outbox

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// TestDailySends: two instances share the limit of a day, no network takes more than
// its tenth, and the owner hears of it once.
func TestDailySends(t *testing.T) {
	t.Parallel()
	const sends = 20
	server := mailtest.Listen(t, mailtest.Options{})
	dir := t.TempDir()
	var instances []*Outbox
	for range 2 {
		store, err := records.Open(t.Context(), records.Options{Dir: dir})
		expect.OK(t, err)
		t.Cleanup(func() { _ = store.Close() })
		instances = append(instances, New(Config{Store: store, Sender: overSMTP(t, server), DailySends: sends}))
	}
	n, accepted := 0, 0
	deliver := func(addr string) error {
		n++
		inquiry, _ := sample()
		inquiry.ID = records.NewInquiryID()
		inquiry.MessageID, inquiry.CreatedAt = inquiry.ID+"@example.org", time.Now()
		err := instances[n%2].Deliver(&limits.ClientContext{Context: t.Context(), Client: limits.ClientOf(netip.MustParseAddr(addr))}, inquiry, records.Key{}, nil)
		if err == nil {
			accepted++
		}
		return err
	}
	refused := func(name string, err error) {
		t.Helper()
		failure := contract.AsError(err)
		if err == nil || failure.Code != contract.RateLimited || failure.RetryAfter != time.Minute || !strings.Contains(failure.Detail, "daily limit") {
			t.Errorf("%s: %v, want rate_limited with a minute and the reason", name, err)
		}
	}
	for _, addr := range []string{"192.0.2.1", "192.0.2.2"} {
		expect.OK(t, deliver(addr))
	}
	refused("the third of one /24", deliver("192.0.2.3"))
	for i := range 9 {
		for range 2 {
			expect.OK(t, deliver(netip.AddrFrom4([4]byte{198, 51, byte(i), 7}).String()))
		}
	}
	refused("one more of a new network", deliver("2001:db8::1"))
	for _, o := range instances {
		settled, stop := context.WithCancel(t.Context())
		stop()
		o.Settle(settled) // which waits for the notice
	}
	stored, err := instances[0].store.(*records.Store).Inquiries(t.Context(), records.InquiryQuery{})
	if err != nil || len(stored) != sends || accepted != sends {
		t.Errorf("%d are stored (%v) and %d accepted, want %d", len(stored), err, accepted, sends)
	}
	notices := 0
	for _, mail := range server.Messages() {
		header, _ := mail.Read(t)
		if strings.Contains(header.Get("Subject"), "daily limit") {
			notices++
		}
	}
	if notices != 1 || len(server.Messages()) != sends+1 {
		t.Errorf("%d notices of %d mails, want 1 of %d", notices, len(server.Messages()), sends+1)
	}
}
