package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/internal/backup"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

type exportCmd struct{ recordsFolder }

// Run writes the lines as they are read.
func (c *exportCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	out := bufio.NewWriter(std.Out)
	if err := store.Export(ctx, out); err != nil {
		return err
	}
	return out.Flush()
}

type backupCmd struct {
	config.DataFolder
	config.Backups
	contentFolder
	File string `arg:"" optional:""`
}

func (c *backupCmd) Run(ctx context.Context, std Streams) error {
	daily, err := c.Daily(c.DataFolder, c.Content)
	if err != nil {
		return err
	}
	switch c.File {
	case "-":
		err = backup.Write(ctx, std.Out, daily.Service)
	case "":
		c.File, err = daily.Make(ctx)
	default:
		if _, err = os.Stat(filepath.Dir(c.File)); err == nil { // the path may be mistyped, so the folder is not made
			err = backup.Create(ctx, daily.Service, c.File)
		}
	}
	switch {
	case err != nil && ctx.Err() != nil: // the error may call the backup damaged
		return fmt.Errorf("the backup was stopped: %w", context.Cause(ctx))
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w; a backup replaces nothing: name another file", err)
	case err != nil || c.File == "-":
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	return std.printf("%s (%d bytes): verified by a test restore; frontdesk restore restores it.\n", c.File, info.Size())
}
