package conform

import (
	"fmt"

	"frontdesk/contract"
)

// Reasons why a check is skipped: what it needs, and how to provide it.
const (
	needsSend    = "it sends for real: use --send"
	needsSink    = "it reads the mail: use --mail-sink ADDR, and set FRONTDESK_SMTP_URL=smtp://ADDR for the service"
	needsSlow    = "it waits for a limit's window to pass, up to a minute: use --slow"
	loopbackOnly = "it exceeds a limit or sends malformed HTTP, which is for a service of your own on loopback"
	maySend      = "a broken service could mail a person: use --send"
	gone         = "the service no longer answers"
	interrupted  = "the run was interrupted"
	neverApplied = "no answer of this run was of the kind that it checks"
	// DoesNotApply begins the reason of a readiness check for something that the
	// service does not have.
	DoesNotApply = "does not apply, because "
)

func tooMany(policy contract.Policy, n int) string {
	return fmt.Sprintf("it takes %d slots of the limit %s, which allows one client %d in %d seconds: it needs several client addresses, as on loopback",
		n, policy.Name, policy.Quota, int(policy.Window.Seconds()))
}

func spent(policy contract.Policy) string {
	return fmt.Sprintf("this run has used its %d slots in %d seconds of the limit %s: --slow waits for the next, --only selects single checks",
		policy.Quota, int(policy.Window.Seconds()), policy.Name)
}

// skipReason returns what a check needs and the options do not provide, "" if nothing is
// missing.
func (o Options) skipReason(check *Check, polite bool) string {
	sends := check.Sends > 0 || check.Trials > 0
	switch {
	case check.LoopbackOnly && polite:
		return loopbackOnly
	case sends && !o.Send:
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
