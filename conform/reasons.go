package conform

import (
	"context"
	"fmt"
	"slices"
	"time"

	"frontdesk/contract"
)

// Reasons why a check is skipped: what it needs, and how to provide it.
const (
	needsSend    = "it sends for real: use --send"
	needsSink    = "it reads the mail: use --mail-sink ADDR, and set FRONTDESK_SMTP_URL=smtp://ADDR for the service"
	needsSlow    = "it waits for a limit's window to pass, up to a minute: use --slow"
	loopbackOnly = "it exceeds a limit, which is for a service of your own on loopback"
	maySend      = "a broken service could mail a person: use --send"
	gone         = "the service no longer answers"
	interrupted  = "the run was interrupted"
	noTrials     = "the service has no workspace server: links.workspace_mcp in its catalog is null"
)

func spent(policy contract.Policy) string {
	return fmt.Sprintf("this run has used its %d slots in %d seconds of the limit %s: --slow waits for the next, --only "+
		"selects single checks",
		policy.Quota, int(policy.Window.Seconds()), policy.Name)
}

// skipReason returns what a check needs and the options do not provide, "" if nothing is
// missing.
func (o Options) skipReason(check *Check, polite bool) string {
	switch {
	case check.LoopbackOnly && polite:
		return loopbackOnly
	case !o.Send && check.sends():
		return needsSend
	case check.MaySend && polite && !o.Send:
		return maySend
	case check.NeedsMail && o.Sink == nil:
		return needsSink
	case check.Slow && !o.Slow:
		return needsSlow
	}
	return ""
}

// sends reports whether a check takes slots of other limits than that of questions.
func (c *Check) sends() bool {
	for policy := range c.Slots {
		if policy.Name != contract.AskPolicy.Name {
			return true
		}
	}
	return false
}

// budget is when a polite run has taken slots of the limits, by the name of the policy.
type budget map[string][]time.Time

// settling is added to a window of the contract, because the service starts its window
// only when the request arrives.
const settling = time.Second

// reserve takes the slots that a check needs, no more than a client may have. Without free
// slots it waits if mayWait is true, otherwise it returns why the check must be skipped.
func (b budget) reserve(ctx context.Context, check *Check, mayWait bool) (reason string) {
	for policy, n := range check.Slots {
		window, now := policy.Window+settling, time.Now()
		live := slices.DeleteFunc(b[policy.Name], func(at time.Time) bool { return now.Sub(at) >= window })
		b[policy.Name] = live
		switch over := len(live) + n - policy.Quota; {
		case over <= 0:
		case !mayWait:
			return spent(policy)
		case wait(ctx, live[over-1].Add(window).Sub(now)) != nil:
			return interrupted
		}
	}
	for policy, n := range check.Slots {
		b[policy.Name] = append(b[policy.Name], slices.Repeat([]time.Time{time.Now()}, n)...)
	}
	return ""
}
