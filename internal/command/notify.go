package command

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/notify"
)

// notifyCmd sends test notifications.
type notifyCmd struct {
	Test bool `help:"Send a test notification to each target, once and at once."`
	config.Settings
}

// Run sends the test notifications and prints the outcome of each.
func (c *notifyCmd) Run(ctx context.Context, std Streams) error {
	if !c.Test {
		return &client.ExitError{Code: ExitUsage, Err: errors.New("notify only sends tests: frontdesk notify --test")}
	}
	service, err := c.Service(0)
	if err != nil {
		return err
	}
	if len(service.Notify) == 0 {
		return errors.New("no target is set: set FRONTDESK_NOTIFY_WEBHOOK, FRONTDESK_NOTIFY_NTFY or FRONTDESK_NOTIFY_CHAT")
	}
	failed := 0
	for _, target := range service.Notify {
		outcome := "sent"
		if err := notify.SendTest(ctx, target, service.OwnerURL); err != nil {
			failed++
			outcome = fmt.Sprintf("failed: %v", err)
		}
		fmt.Fprintf(std.Out, "%-8s %s\n", target.Name, outcome)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d targets did not accept the notification", failed, len(service.Notify))
	}
	return nil
}
