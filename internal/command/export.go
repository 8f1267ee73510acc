package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"frontdesk/internal/backup"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

type exportCmd struct {
	config.DataFolder
	Since moment `placeholder:"DATE"`
}

// Run writes the lines as they are read.
func (c *exportCmd) Run(ctx context.Context, std Streams) error {
	return reading(ctx, c.DataFolder, func(store *records.Store) error {
		out := bufio.NewWriter(std.Out)
		if err := store.Export(ctx, out, time.Time(c.Since)); err != nil {
			return err
		}
		return out.Flush()
	})
}

// moment is a day or a time on the command line.
type moment time.Time

// UnmarshalText reads RFC 3339, or only its date: the start of that day in UTC.
func (m *moment) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, string(text)); err == nil {
			*m = moment(at)
			return nil
		}
	}
	return fmt.Errorf("%q is neither a day such as 2026-11-21 nor a time such as 2026-11-21T09:00:00Z", text)
}

type backupCmd struct {
	config.DataFolder
	config.Backups
	Content string `env:"FRONTDESK_CONTENT" placeholder:"DIR"`
	File    string `arg:"" optional:""`
}

func (c *backupCmd) Run(ctx context.Context, std Streams) error {
	daily, err := c.Daily(c.DataFolder, c.Content)
	if err != nil {
		return err
	}
	switch c.File {
	case "-":
		return backup.Write(ctx, std.Out, daily.Service)
	case "":
		c.File, err = daily.Make(ctx)
	default:
		err = backup.Create(ctx, daily.Service, c.File)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; a backup replaces nothing: name another file", err)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%s (%d bytes) was restored to a folder to try it; frontdesk restore puts it back.\n",
		c.File, info.Size())
	return err
}

// quoted quotes a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
