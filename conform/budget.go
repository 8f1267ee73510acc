package conform

import (
	"context"
	"slices"
	"time"

	"frontdesk/contract"
)

// budget is what a polite run may still take of the limits: never more than the service
// allows one client.
type budget struct {
	used map[string][]time.Time // when slots were taken, by policy
}

// settling is added to a window of the contract, because the service starts its window
// only when the request arrives.
const settling = time.Second

func newBudget() *budget { return &budget{used: map[string][]time.Time{}} }

// delay returns how long to wait for n slots of a policy, and false if the policy never
// has that many.
func (b *budget) delay(policy contract.Policy, n int) (time.Duration, bool) {
	if n > policy.Quota {
		return 0, false
	}
	window, now := policy.Window+settling, time.Now()
	live := slices.DeleteFunc(b.used[policy.Name], func(at time.Time) bool { return now.Sub(at) >= window })
	b.used[policy.Name] = live
	over := len(live) + n - policy.Quota
	if over <= 0 {
		return 0, true
	}
	return live[over-1].Add(window).Sub(now), true
}

// reserve takes the slots that a check needs. Without free slots it waits if mayWait is
// true, otherwise it returns why the check must be skipped.
func (b *budget) reserve(ctx context.Context, check *Check, mayWait bool) (reason string) {
	needs := []struct {
		policy contract.Policy
		n      int
	}{{contract.AskPolicy, check.Asks}, {contract.ContactPolicy, check.Sends}, {contract.TrialPolicy, check.Trials}}
	for _, need := range needs {
		delay, possible := b.delay(need.policy, need.n)
		switch {
		case need.n == 0:
		case !possible:
			return tooMany(need.policy, need.n)
		case delay > 0 && !mayWait:
			return spent(need.policy)
		case delay > 0 && wait(ctx, delay) != nil:
			return interrupted
		}
	}
	for _, need := range needs {
		b.used[need.policy.Name] = append(b.used[need.policy.Name], slices.Repeat([]time.Time{time.Now()}, need.n)...)
	}
	return ""
}
