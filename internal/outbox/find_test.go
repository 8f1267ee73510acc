package outbox

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// A request waits for another one no longer than a delivery may take.
func TestWaitIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inquiry, _ := sample()
		inquiry.State, inquiry.Lease = records.Pending, newLease()
		o := New(Config{Store: &memory{inquiry: inquiry}, Log: zerolog.Nop()})
		start := time.Now()
		request := new(span.Span)
		_, err := o.Wait(context.WithValue(t.Context(), span.Key{}, request), inquiry)
		expect.Same(t, "the span for the other request", time.Since(start), request.Spent(span.SameKey))
		if refusal := contract.AsError(err); refusal.Code != contract.BadGateway || time.Since(start) > 20*time.Second {
			t.Errorf("after %v: %v, want %s", time.Since(start), err, contract.BadGateway)
		}
	})
}
