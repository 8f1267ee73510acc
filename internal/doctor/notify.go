package doctor

import (
	"context"
	"fmt"
	"strings"
)

// notifications asks the servers of the targets whether they answer. It sends none.
func (e *examination) notifications(ctx context.Context) Finding {
	if len(e.service.Notify) == 0 {
		return skipped("no target is set")
	}
	var reached, missed []string
	for _, target := range e.service.Notify {
		if err := target.Reach(ctx); err != nil {
			missed = append(missed, fmt.Sprintf("%s: %v", target, err))
		} else {
			reached = append(reached, target.String())
		}
	}
	if len(missed) > 0 {
		return failed(strings.Join(missed, "; "), "Check the address in FRONTDESK_NOTIFY_…, and whether a firewall blocks it for this machine. Mails do not depend on it.")
	}
	if e.service.OwnerURL == "" {
		return warning(strings.Join(reached, "; "), "Notifications have no link: set FRONTDESK_OWNER_URL to the address of the owner's pages.")
	}
	return ok("%s; frontdesk notify --test sends one", strings.Join(reached, "; "))
}
