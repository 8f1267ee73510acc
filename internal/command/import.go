package command

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/internal/config"
	"frontdesk/internal/importer"
	"frontdesk/internal/records"
)

type importCmd struct {
	From string `arg:"" placeholder:"URL|FILE"`
}

func (c *importCmd) Run(ctx context.Context, std Streams) error {
	text, mediaType, err := importer.Fetch(ctx, c.From)
	if err != nil {
		return err
	}
	entries, conflicts, unread, err := importer.Read(text, c.From, mediaType)
	if len(unread) > 0 {
		fmt.Fprintf(std.Err, "Left out, because they have no question mark: %q\n", unread)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.From, err)
	}
	draft, err := importer.YAML(entries, c.From)
	if err != nil {
		return err
	}
	if _, err := std.Out.Write(draft); err != nil {
		return err
	}
	for _, q := range conflicts {
		fmt.Fprintf(std.Err, "%q appears several times with different answers; only the first is used.\n", q)
	}
	fmt.Fprintf(std.Err, "Drafts: %d. Copy them into faq.yaml, and remove `draft: true` from each answer that you "+
		"approve.\n", len(entries))
	return nil
}

// importRecordsCmd adds the records of an export, which moves a service from one
// database to another.
type importRecordsCmd struct {
	config.DataFolder
	File string `arg:""`
}

func (c *importRecordsCmd) Run(ctx context.Context, std Streams) (err error) {
	file, err := open(ctx, c.File, std.In)
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
	return printImported(std, imported)
}

func printImported(std Streams, done records.Imported) error {
	return std.printf("%d records added, %d were there already.\n", done.Added, done.Present)
}
