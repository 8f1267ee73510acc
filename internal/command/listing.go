package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

// contentFolder is the flag of a command that reads or changes the content.
type contentFolder struct {
	Content string `env:"FRONTDESK_CONTENT" placeholder:"DIR"`
}

// recordsFolder is the data folder of a command whose Run takes the open records.
type recordsFolder struct {
	config.DataFolder
	store *records.Store
}

// ProvideStore opens the records for kong. It never makes a database. Nor does it change the
// schema of a database of another version, because the service of that version may be running:
// see [records.SchemaError].
func (f *recordsFolder) ProvideStore(ctx context.Context) (store *records.Store, err error) {
	f.store, err = f.OpenRecords(ctx, records.Options{MustExist: true, KeepSchema: true})
	return f.store, err
}

// AfterRun closes what ProvideStore has opened.
func (f *recordsFolder) AfterRun() error {
	if f.store == nil {
		return nil
	}
	return f.store.Close()
}

// newTable returns a table whose cells end with a tab. Flush prints it.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// printList prints records that were read without err: as one JSON array, or as a table
// with a row for each. Without records it prints none instead of the table.
func printList[T any](std Streams, list []T, err error, asJSON bool, none, head string, row func(T) []any) error {
	switch {
	case err != nil:
		return err
	case asJSON:
		return std.printJSON(list)
	case len(list) == 0:
		return std.printf("%s\n", none)
	}
	table := newTable(std.Out)
	fmt.Fprintln(table, head)
	for _, record := range list {
		var cells []string
		for _, cell := range row(record) {
			cells = append(cells, printable(fmt.Sprint(cell)))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// printable is a caller's text on one line, without what a terminal would obey instead
// of show.
func printable(text string) string { return contract.VisibleText(text) }

// shortTime is a time as the tables show it; empty without one.
func shortTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.DateTime)
}

type workspacesCmd struct {
	recordsFolder
	JSON bool
}

func (c *workspacesCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	workspaces, err := store.Workspaces(ctx)
	return printList(std, workspaces, err, c.JSON, "No trials yet.", "WHEN\tSTATE\tBUSINESS\tNAME\tE-MAIL\tID",
		func(w records.Workspace) []any {
			return []any{shortTime(w.CreatedAt), w.State, w.Business, w.Name, w.Email, w.ID}
		})
}
