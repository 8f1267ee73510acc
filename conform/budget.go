package conform

import (
	"context"
	"slices"
	"time"

	"frontdesk/contract"
)

// budget is what a polite run has taken of the limits: when slots were taken, by policy.
type budget map[string][]time.Time

// settling is added to a window of the contract, because the service starts its window
// only when the request arrives.
const settling = time.Second

// delay returns how long to wait for n slots of a policy, of which there are at least n.
func (b budget) delay(policy contract.Policy, n int) time.Duration {
	window, now := policy.Window+settling, time.Now()
	live := slices.DeleteFunc(b[policy.Name], func(at time.Time) bool { return now.Sub(at) >= window })
	b[policy.Name] = live
	if over := len(live) + n - policy.Quota; over > 0 {
		return live[over-1].Add(window).Sub(now)
	}
	return 0
}

// reserve takes the slots that a check needs. Without free slots it waits if mayWait is
// true, otherwise it returns why the check must be skipped.
func (b budget) reserve(ctx context.Context, check *Check, mayWait bool) (reason string) {
	policies := []contract.Policy{contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy}
	for _, policy := range policies {
		n := *check.Slots(policy.Name)
		if n > policy.Quota {
			return tooMany(policy, n)
		}
		switch delay := b.delay(policy, n); {
		case delay == 0:
		case !mayWait:
			return spent(policy)
		case wait(ctx, delay) != nil:
			return interrupted
		}
	}
	for _, policy := range policies {
		b[policy.Name] = append(b[policy.Name], slices.Repeat([]time.Time{time.Now()}, *check.Slots(policy.Name))...)
	}
	return ""
}
