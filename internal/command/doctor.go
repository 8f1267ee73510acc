package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"frontdesk/internal/app"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/doctor"
)

// doctorCmd checks what a service depends on.
type doctorCmd struct {
	JSON bool `name:"json" help:"Print one JSON array."`
	config.Settings
}

// Run prints what the checks found.
func (c *doctorCmd) Run(ctx context.Context, std Streams) error {
	examined := doctor.Run(ctx, doctor.Checks(doctor.Options{
		Settings: c.Settings,
		Environ:  os.Environ(),
		Content: func() (string, int, error) {
			summary, warnings, err := app.CheckContent(c.Content, c.Selection)
			return summary, len(warnings), err
		},
	}))
	write := doctor.Print
	if c.JSON {
		write = func(w io.Writer, examined []doctor.Examined) error { return printJSON(w, examined) }
	}
	if err := write(std.Out, examined); err != nil {
		return err
	}
	if n := doctor.Failures(examined); n > 0 {
		return &client.ExitError{Code: ExitFailed, Err: fmt.Errorf("checks that failed: %d", n)}
	}
	return nil
}
