package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"

	"frontdesk/internal/control"
)

// adminLinkCmd asks the running service for a sign-in link.
type adminLinkCmd struct {
	Data    string        `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR" help:"Data folder of the running service."`
	Timeout time.Duration `default:"10s" placeholder:"TIME" help:"The longest to wait for the link."`
}

// Help is kong's text below the usage.
func (adminLinkCmd) Help() string {
	return "The link signs one browser in to the owner's pages, where inquiries are read and answers corrected. It works once, within 15 minutes: " +
		"the first browser that opens it is signed in, so do not pass it on. The service needs FRONTDESK_ADMIN_ADDR. " +
		"The exit code is 1 without it, and 3 when no service runs on the data folder.\n\n" +
		"Example:\n\n\tfrontdesk admin-link --data /var/lib/frontdesk"
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
		if file, ok := out.(*os.File); ok && isatty.IsTerminal(file.Fd()) {
			return out
		}
	}
	return nil
}
