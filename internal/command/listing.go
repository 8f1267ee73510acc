package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

// listing is a command that lists records: as a table, or as one JSON array.
type listing[T any] struct {
	folder config.DataFolder
	json   bool
	none   string // printed instead of an empty table
	read   func(ctx context.Context, store *records.Store) ([]T, error)
	head   []string
	row    func(record T) []string
}

func (l listing[T]) print(ctx context.Context, w io.Writer) error {
	return reading(ctx, l.folder, func(store *records.Store) error {
		list, err := l.read(ctx, store)
		switch {
		case err != nil:
			return err
		case l.json:
			return printJSON(w, list)
		case len(list) == 0:
			_, err := fmt.Fprintln(w, l.none)
			return err
		}
		return l.table(w, list)
	})
}

// reading opens the records of a folder, which must be there, for as long as do takes.
func reading(ctx context.Context, folder config.DataFolder, do func(*records.Store) error) error {
	store, err := app.OpenRecords(ctx, folder)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// printable is a stranger's text on one line, without what a terminal would obey instead
// of show.
func printable(text string) string { return contract.VisibleText(text) }

func (l listing[T]) table(w io.Writer, list []T) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join(l.head, "\t"))
	for _, record := range list {
		cells := l.row(record)
		for i := range cells {
			cells[i] = printable(cells[i])
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// shortTime is a time as the tables show it.
func shortTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// workspacesCmd lists the trials.
type workspacesCmd struct {
	config.DataFolder
	JSON bool `name:"json" help:"Print one JSON array."`
}

// Run prints the draft workspaces, newest first.
func (c *workspacesCmd) Run(ctx context.Context, std Streams) error {
	return listing[records.Workspace]{
		folder: c.DataFolder,
		json:   c.JSON,
		none:   "No trials yet.",
		read: func(ctx context.Context, store *records.Store) ([]records.Workspace, error) {
			return store.Workspaces(ctx)
		},
		head: []string{"WHEN", "STATE", "BUSINESS", "NAME", "E-MAIL", "ID"},
		row: func(w records.Workspace) []string {
			return []string{shortTime(w.CreatedAt), w.State, w.Business, w.Name, w.Email, w.ID}
		},
	}.print(ctx, std.Out)
}
