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

	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

// exportCmd writes all records.
type exportCmd struct {
	config.DataFolder
	Since moment `placeholder:"DATE" help:"Only what was stored, or asked again, since then: a day such as 2026-11-21 (UTC) or a time such as 2026-11-21T09:00:00Z."`
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

// backupCmd copies the database.
type backupCmd struct {
	config.DataFolder
	File string `arg:"" help:"File to write; it must not exist yet."`
}

// Run makes the backup, or prints the command that does.
func (c *backupCmd) Run(ctx context.Context, std Streams) error {
	options, setting, err := c.Records()
	if err != nil {
		return err
	}
	if options.URL != "" {
		return dumpHint(setting, options.String(), c.File)
	}
	err = records.Backup(ctx, options.Dir, c.File)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; a backup replaces nothing: name another file", c.File)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%s holds the database (%d bytes); frontdesk restore puts it back.\n", c.File, info.Size())
	return err
}

// dumpHint shows the commands of PostgreSQL's own programs, which must be of the server's version.
func dumpHint(setting, address, file string) error {
	return fmt.Errorf(`%s: the records are in PostgreSQL; its own programs back it up and restore it (they ask for the password, or take it from PGPASSWORD):
  pg_dump --format=custom --file=%s %s
  `+restoreLine, setting, quoted(file), quoted(address))
}

// restoreHint is dumpHint for restore.
func restoreHint(setting, address, file string) error {
	return fmt.Errorf("%s: the records are in PostgreSQL; its own program restores them, while no service runs:\n  "+restoreLine,
		setting, quoted(file), quoted(address))
}

// restoreLine is the command of both hints.
const restoreLine = "pg_restore --no-owner --dbname=%[3]s %[2]s    # into an empty database"

// quoted quotes a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
