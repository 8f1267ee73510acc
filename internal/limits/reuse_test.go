package limits

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
)

// TestRefuseReuse: nine refusals are free, three take the slots of the policy, and
// the others are rate-limited, until both windows have passed. Another client has
// its own.
func TestRefuseReuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit, free := New(contract.ContactPolicy), New(contract.KeyReusePolicy)
		refuse := func(client string, code contract.Code, remaining int) {
			t.Helper()
			ctx := WithClient(t.Context(), ClientOf(netip.MustParseAddr(client)))
			decision, err := limit.RefuseReuse(ctx, free, contract.IdempotencyKey{Value: "k", Field: "idempotency_key"})
			if refusal := contract.AsError(err); refusal.Code != code || decision.Remaining != remaining {
				t.Errorf("%s: %s with %d left, want %s with %d", client, refusal.Code, decision.Remaining, code, remaining)
			}
		}
		const one, other = "192.0.2.1", "192.0.2.2"
		for range 2 {
			for range 9 {
				refuse(one, contract.InvalidRequest, 3)
			}
			for left := 2; left >= 0; left-- {
				refuse(one, contract.InvalidRequest, left)
			}
			refuse(one, contract.RateLimited, 0)
			refuse(other, contract.InvalidRequest, 3)
			time.Sleep(time.Minute)
		}
	})
}
