package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"frontdesk/internal/config"
	"frontdesk/internal/doctor"
)

type doctorCmd struct {
	JSON         bool
	ListSettings bool `name:"settings"`
	config.Settings
}

func (c *doctorCmd) Run(ctx context.Context, parsed *kong.Context, std Streams) (err error) {
	if c.ListSettings {
		isFlag := func(variable string) bool {
			return slices.ContainsFunc(parsed.Path, func(p *kong.Path) bool {
				return p.Flag != nil && slices.Contains(p.Flag.Envs, variable)
			})
		}
		settings, wrong := c.InForce(isFlag, os.Getenv)
		return errors.Join(c.printSettings(std, settings), wrong)
	}
	examined := doctor.Run(ctx, c.Settings, os.Environ())
	if c.JSON {
		err = std.printJSON(examined)
	} else {
		err = doctor.Print(std.Out, examined)
	}
	if n := doctor.Failures(examined); err == nil && n > 0 {
		err = fmt.Errorf("checks that failed: %d", n)
	}
	return err
}

// printSettings prints the settings, for people by group.
func (c *doctorCmd) printSettings(std Streams, settings []config.Setting) error {
	if c.JSON {
		return std.printJSON(settings)
	}
	table, group := newTable(std.Out), ""
	for _, one := range settings {
		if one.Group != group {
			group = one.Group
			fmt.Fprintf(table, "%s:\n", config.Groups[config.GroupIndex(group)].Title)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", one.Name, one.Source, one.Value)
	}
	return table.Flush()
}
