package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"frontdesk/internal/client"
	"frontdesk/internal/control"
)

// adminLinkCmd asks the running service for a sign-in link.
type adminLinkCmd struct {
	Data    string        `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR" help:"Data folder of the running service."`
	Timeout time.Duration `default:"10s" placeholder:"TIME" help:"The longest to wait for the link."`
}

// Run prints the link.
func (c *adminLinkCmd) Run(ctx context.Context, std Streams) error {
	link, err := askService(ctx, c.Data, c.Timeout, control.SignInLink)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.Out, link)
	return err
}

// terminal is the output that a person reads at this moment, or nil. A sign-in link is
// printed only there: logs and pipes are kept, and read by others.
func terminal(std Streams) io.Writer {
	for _, out := range []io.Writer{std.Out, std.Err} {
		if client.IsTerminal(out) {
			return out
		}
	}
	return nil
}
