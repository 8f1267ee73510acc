package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/doctor"
)

type doctorCmd struct {
	JSON         bool
	ListSettings bool `name:"settings"`
	config.Settings
}

func (c *doctorCmd) Run(ctx context.Context, parsed *kong.Context, std Streams) error {
	if c.ListSettings {
		settings, wrong := c.InForce(func(variable string) bool { return isFlag(parsed, variable) }, os.Getenv)
		return errors.Join(c.printSettings(std.Out, settings), wrong)
	}
	examined := doctor.Run(ctx, c.Settings, os.Environ())
	write := doctor.Print
	if c.JSON {
		write = func(w io.Writer, examined []doctor.Examined) error { return printJSON(w, examined) }
	}
	if err := write(std.Out, examined); err != nil {
		return err
	}
	if n := doctor.Failures(examined); n > 0 {
		return &client.ExitError{Code: client.ExitRefused, Err: fmt.Errorf("checks that failed: %d", n)}
	}
	return nil
}

// isFlag reports whether the flag of a variable was given on the command line.
func isFlag(parsed *kong.Context, variable string) bool {
	return slices.ContainsFunc(parsed.Path, func(p *kong.Path) bool {
		return p.Flag != nil && slices.Contains(p.Flag.Envs, variable)
	})
}

// printSettings prints the settings, for people by group.
func (c *doctorCmd) printSettings(w io.Writer, settings []config.Setting) error {
	if c.JSON {
		return printJSON(w, settings)
	}
	table, group := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), ""
	for _, one := range settings {
		if one.Group != group {
			group = one.Group
			fmt.Fprintf(table, "%s:\n", config.Groups[config.GroupIndex(group)].Title)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", one.Name, one.Source, one.Value)
	}
	return table.Flush()
}
