package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"frontdesk/internal/config"
	"frontdesk/internal/live"
	"frontdesk/mailer"
)

type notifyCmd struct {
	Test bool
	config.Settings
}

func (c *notifyCmd) Run(ctx context.Context, std Streams) error {
	if !c.Test {
		return usageError(errors.New("notify only sends tests: frontdesk notify --test"))
	}
	service, err := c.Service(0)
	if err != nil {
		return err
	}
	tests := service.Tests()
	if loaded, err := live.LoadFolder(c.Content); err == nil { // another command reports the faults of content
		tests.Language = loaded.Language()
	}
	failed, tested := 0, tests.Send(ctx)
	for _, one := range tested {
		outcome := "sent to " + one.To
		if one.Target == "mail" && service.Mail.Now().KeepsFiles() {
			outcome = fmt.Sprintf("kept as a file, because no mail server is set (%s)", service.Mail.Now())
		}
		if one.Err != nil {
			failed++
			outcome = fmt.Sprintf("failed: %v", one.Err)
		}
		err = cmp.Or(err, std.printf("%-8s %s\n", one.Target, outcome))
		if failure, isMail := errors.AsType[*mailer.Error](one.Err); isMail && failure.Hint() != "" {
			std.printf("%-8s hint: %s\n", "", failure.Hint())
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d messages were not accepted", failed, len(tested))
	}
	return err
}
