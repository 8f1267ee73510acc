package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"frontdesk/internal/admin"
	"frontdesk/internal/backup"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

type restoreCmd struct {
	config.DataFolder
	contentFolder
	File    string `arg:""`
	Replace bool
}

func (c *restoreCmd) Run(ctx context.Context, std Streams) error {
	options, setting, err := stopped(ctx, c.DataFolder)
	if err != nil {
		return err
	}
	// The folder may be the default one, and the service's another.
	if _, err := os.Stat(options.Dir); c.Replace && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no data folder %s to replace; --data names the service's", options.Dir)
	}
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	restored, err := c.restore(ctx, std.In, options)
	switch {
	case err != nil && ctx.Err() != nil: // else the file would seem to be cut off
		return context.Cause(ctx)
	case errors.Is(err, fs.ErrExist), errors.Is(err, backup.ErrOtherKey):
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s already holds a database", options.Dir)
		}
		return fmt.Errorf("%s: %w; --replace keeps it under another name and restores the backup", setting, err)
	case errors.Is(err, records.ErrDatabaseInUse):
		return fmt.Errorf("%s: a program has the database of %s open; stop it and try again", setting, options.Dir)
	case errors.Is(err, records.ErrNoBackup):
		return fmt.Errorf("%s: %w; frontdesk import-records reads an export, and pg_restore a dump of PostgreSQL", c.File,
			err)
	case errors.Is(err, backup.ErrNotPostgres):
		return fmt.Errorf("%s: %s %w; restore it without that setting, then move the records with frontdesk export and "+
			"frontdesk import-records", setting, c.File, err)
	case errors.As(err, new(*fs.PathError)):
		return err // it names its path
	case err != nil:
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return c.print(std, restored, options.URL != "")
}

func (c *restoreCmd) restore(ctx context.Context, in io.Reader, records records.Options) (backup.Restored, error) {
	file, err := open(ctx, c.File, in)
	if err != nil {
		return backup.Restored{}, err
	}
	defer file.Close()
	return backup.Restore(ctx, file, backup.Service{Records: records, Content: c.Content}, c.Replace)
}

// open opens a file, or in if its name is "-".
func open(ctx context.Context, name string, in io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return client.Interruptible(ctx, in), nil
	}
	return os.Open(name)
}

func (c *restoreCmd) print(std Streams, done backup.Restored, postgres bool) error {
	if postgres {
		printImported(std, done.Imported)
	} else {
		printRecords(std, done.Records)
	}
	if done.ReplacedKey != "" {
		std.printf("The signing key that was there is now %s.\n", done.ReplacedKey)
	}
	if done.Content {
		return std.printf("The content is in %s.\n", c.Content)
	}
	return std.printf("No content was restored. To restore that of the backup, if any, set --content to a folder that " +
		"does not exist yet or is empty.\n")
}

func printRecords(std Streams, r records.Restored) {
	newest := "it is empty"
	if !r.Newest.IsZero() {
		newest = "the newest is of " + r.Newest.Format(time.RFC3339)
	}
	std.printf("%s holds %d inquiries, %d questions, %d pieces of feedback and %d trials; %s.\n",
		r.Path, r.Inquiries, r.Questions, r.Feedback, r.Workspaces, newest)
	if r.Pending > 0 {
		std.printf("%d inquiries were being mailed when the backup was made; the service mails them at its next "+
			"start, under their Message-ID.\n", r.Pending)
	}
	if r.Replaced != "" {
		std.printf("The database that was there is now %s; it holds personal data, so delete it when you do not "+
			"need it.\n", r.Replaced)
	}
}

// stopped returns what Records does of a data folder. It fails when a service runs on it.
func stopped(ctx context.Context, folder config.DataFolder) (options records.Options, setting string, err error) {
	options, setting, err = folder.Records()
	if err == nil && admin.IsRunning(ctx, options.Dir) {
		err = fmt.Errorf("a service runs on the data folder %s; stop it first", options.Dir)
	}
	return options, setting, err
}

type migrateCmd struct{ config.DataFolder }

func (c *migrateCmd) Run(ctx context.Context, std Streams) error {
	options, setting, err := stopped(ctx, c.DataFolder)
	if err != nil {
		return err
	}
	done, err := records.Migrate(ctx, options)
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	if done.From == done.To {
		return std.printf("%s is up to date (schema %d).\n", options, done.To)
	}
	return std.printf("%s is brought from schema %d to %d.\n", options, done.From, done.To)
}
