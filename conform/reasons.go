package conform

import (
	"fmt"

	"frontdesk/contract"
)

// Why a check is skipped: what it needs, and how to give it.
const (
	needsSend    = "it sends for real: give --send"
	needsSink    = "it looks at the mail: give --mail-sink ADDR, and set the service to FRONTDESK_SMTP_URL=smtp://ADDR"
	needsSlow    = "it waits for a limit's window to pass, up to a minute: give --slow"
	tooRude      = "it breaks a limit or sends what is no HTTP: that is for a service of your own, on loopback"
	tooRisky     = "a service that reads it wrongly would mail a person: give --send"
	gone         = "the service does not answer any more"
	interrupted  = "the run was interrupted"
	nothingSeen  = "no answer of this run was of the kind that it watches"
	doesNotApply = "does not apply, because "
)

func tooMany(policy contract.Policy, n int) string {
	return fmt.Sprintf("it takes %d slots of the limit %s, which allows one client %d in %d seconds: it needs several client addresses, on loopback",
		n, policy.Name, policy.Quota, int(policy.Window.Seconds()))
}

func spent(policy contract.Policy) string {
	return fmt.Sprintf("this run has used its %d slots in %d seconds of the limit %s: --slow waits for the next, --only chooses a check alone",
		policy.Quota, int(policy.Window.Seconds()), policy.Name)
}

// unmet says what a check needs that the options do not give; empty when nothing
// is missing.
func (o Options) unmet(check *Check, polite bool) string {
	sends := check.Sends > 0 || check.Trials > 0
	switch {
	case check.Rude && polite:
		return tooRude
	case sends && !o.Send:
		return needsSend
	case check.Risky && polite && !o.Send:
		return tooRisky
	case check.Mail && o.Sink == nil:
		return needsSink
	case check.Slow && !o.Slow:
		return needsSlow
	}
	return ""
}
