package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/control"
	"frontdesk/internal/records"
)

// restoreCmd puts a backup in place of the database.
type restoreCmd struct {
	config.DataFolder
	File    string `arg:"" help:"File that frontdesk backup wrote."`
	Replace bool   `help:"Replace the database that is in the data folder; it is kept under another name."`
}

// Run restores the backup and prints what it holds.
func (c *restoreCmd) Run(ctx context.Context, std Streams) error {
	options, setting, err := c.Records()
	if err != nil {
		return err
	}
	if options.URL != "" {
		return restoreHint(setting, options.String(), c.File)
	}
	if err := refuseRunning(ctx, options.Dir); err != nil {
		return err
	}
	restored, err := records.Restore(ctx, options.Dir, c.File, c.Replace)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: there is a database in %s already; --replace keeps it under another name and restores the backup", setting, options.Dir)
	case errors.Is(err, records.ErrDatabaseInUse):
		return fmt.Errorf("%s: a program has the database of %s open; stop it and try again", setting, options.Dir)
	case errors.Is(err, records.ErrIsExport):
		return fmt.Errorf("%s is an export; frontdesk import-records %s adds its records to a database", c.File, quoted(c.File))
	case errors.Is(err, records.ErrIsDump):
		return fmt.Errorf("%s is a dump of PostgreSQL; pg_restore restores it", c.File)
	case err != nil:
		return err
	}
	return printRestored(std, restored)
}

// printRestored prints what is in place now.
func printRestored(std Streams, r records.Restored) error {
	newest := "it is empty"
	if !r.Newest.IsZero() {
		newest = "the newest is of " + r.Newest.Format(time.RFC3339)
	}
	fmt.Fprintf(std.Out, "%s holds %d inquiries, %d questions, %d pieces of feedback and %d trials; %s.\n",
		r.Path, r.Inquiries, r.Questions, r.Feedback, r.Workspaces, newest)
	if r.Pending > 0 {
		fmt.Fprintf(std.Out, "%d inquiries were being mailed when the backup was made; the service mails them at its next start, under their Message-ID.\n", r.Pending)
	}
	if r.Replaced != "" {
		fmt.Fprintf(std.Out, "The database that was there is now %s; it holds personal data, so delete it when you do not need it.\n", r.Replaced)
	}
	return nil
}

// refuseRunning fails when a service runs on the data folder.
func refuseRunning(ctx context.Context, dir string) error {
	if !control.Running(ctx, dir) {
		return nil
	}
	return fmt.Errorf("a service runs on the data folder %s; stop it first", dir)
}

// migrateCmd brings the schema up to date without starting the service.
type migrateCmd struct {
	config.DataFolder
	WhileRunning bool `help:"Also while a service runs on the data folder. The program of an older service may not work with the new schema."`
}

// Run migrates and prints both versions.
func (c *migrateCmd) Run(ctx context.Context, std Streams) error {
	options, setting, err := c.Records()
	if err != nil {
		return err
	}
	if !c.WhileRunning {
		if err := refuseRunning(ctx, options.Dir); err != nil {
			return fmt.Errorf("%w, or use --while-running", err)
		}
	}
	done, err := records.Migrate(ctx, options)
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	if done.From == done.To {
		_, err = fmt.Fprintf(std.Out, "%s is up to date (schema %d).\n", options, done.To)
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%s is brought from schema %d to %d.\n", options, done.From, done.To)
	return err
}
