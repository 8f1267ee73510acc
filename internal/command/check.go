package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/live"
)

// errEmptyDir refuses a folder without a name, as from an unset shell variable.
var errEmptyDir = errors.New("the name of the folder is empty")

type initCmd struct {
	Dir    string `arg:""`
	Sample string `default:"workshop" placeholder:"NAME"`
}

func (c *initCmd) Run(std Streams) error {
	if c.Dir == "" {
		return errEmptyDir
	}
	written, err := content.Init(c.Dir, c.Sample)
	if err != nil {
		return err
	}
	for _, path := range written {
		fmt.Fprintln(std.Out, path)
	}
	return std.printf("\nEdit these files, then:\n  frontdesk check %[1]s\n  frontdesk serve --content %[1]s\n", c.Dir)
}

type fmtCmd struct {
	Dir string `arg:""`
}

func (c *fmtCmd) Run(ctx context.Context, std Streams) error {
	change := content.NewChange(os.DirFS(c.Dir))
	_, err := os.Stat(c.Dir)
	if err == nil {
		err = change.Format()
	}
	if err == nil && !change.IsEmpty() {
		err = change.Apply(ctx, c.Dir)
	}
	if err != nil {
		return err
	}
	for _, name := range change.Files() {
		err = cmp.Or(err, std.printf("%s\n", filepath.Join(c.Dir, name)))
	}
	return err
}

// checkCmd checks what serve would start with.
type checkCmd struct {
	Dir   *string `arg:"" optional:""`
	Cache string  `placeholder:"FILE"`
	config.Settings
}

func (c *checkCmd) Run(ctx context.Context, std Streams) error {
	if c.Dir == nil {
		c.Dir = &c.Content
	} else if *c.Dir == "" {
		return errEmptyDir
	}
	_, settingsErr := c.Service(0)
	for _, warning := range config.Warnings(os.Environ()) {
		fmt.Fprintln(std.Err, "warning:", warning)
	}
	if err := errors.Join(settingsErr, c.checkContent(ctx, std)); err != nil {
		return err
	}
	return std.printf("ok\n")
}

func (c *checkCmd) checkContent(ctx context.Context, std Streams) error {
	found, err := live.Check(ctx, *c.Dir, live.Checks{Selection: c.Selection, Cache: c.Cache})
	for _, warning := range found.Warnings {
		fmt.Fprintln(std.Err, "warning:", warning)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, found.Summary)
	if found.Expected != "" {
		fmt.Fprintln(std.Out, found.Expected)
	}
	return nil
}
