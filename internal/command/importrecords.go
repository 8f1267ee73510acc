package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

// importRecordsCmd adds the records of an export, which moves a service from one
// database to another.
type importRecordsCmd struct {
	config.DataFolder
	File string `arg:"" help:"File that frontdesk export wrote."`
}

// Run adds the records and prints how many there were.
func (c *importRecordsCmd) Run(ctx context.Context, std Streams) (err error) {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	store, err := c.OpenRecords(ctx, records.Options{KeepSchema: true}) // made if there is none
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	imported, err := store.Import(ctx, file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if imported.Uncounted {
		fmt.Fprintf(std.Err, "%s: warning: %s is of a version that did not count its records; compare the number with that of the source.\n", contract.Product, c.File)
	}
	_, err = fmt.Fprintf(std.Out, "%d records added, %d were there already.\n", imported.Added, imported.Present)
	return err
}
