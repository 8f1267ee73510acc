package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/curation"
	"frontdesk/internal/live"
	"frontdesk/internal/records"
)

type historyCmd struct {
	recordsFolder
	Number int64 `arg:"" optional:"" name:"n"`
	JSON   bool
}

func (c *historyCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	if c.Number != 0 {
		return c.show(ctx, std, store)
	}
	list, err := store.Changes(ctx, records.Page{})
	return printList(std, list, err, c.JSON, "No change of the content yet.", "N\tWHEN\tBY\tCHANGE",
		func(change records.Change) []any {
			return []any{change.Number, shortTime(change.At), change.Source, change.Summary}
		})
}

func (c *historyCmd) show(ctx context.Context, std Streams, store *records.Store) error {
	change, err := store.Change(ctx, c.Number)
	if err != nil {
		return noChange(err, c.Number)
	}
	if c.JSON {
		return std.printJSON(change)
	}
	return std.printf("%s, by %s: %s\n%s", shortTime(change.At), change.Source, printable(change.Summary),
		change.Diff)
}

// noChange names the number of a change that is not there.
func noChange(err error, number int64) error {
	if errors.Is(err, records.ErrNotFound) {
		return fmt.Errorf("there is no change %d; frontdesk history lists them", number)
	}
	return err
}

// curated are the flags of a command that changes the content.
type curated struct {
	recordsFolder
	config.Selection
	contentFolder
}

type undoCmd struct {
	curated
	Number int64 `arg:"" name:"n"`
	DryRun bool
}

func (c *undoCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	curator := c.curator(store)
	change, err := curator.Undo(ctx, c.Number)
	return makeChange(ctx, std, curator, c.DryRun, change, noChange(err, c.Number))
}

// curator returns the gate for changes of the content by a command. The running service
// notices them.
func (c *curated) curator(store *records.Store) *curation.Curator {
	return &curation.Curator{
		Store: store, Content: os.DirFS(c.Content), Dir: c.Content, Data: c.Dir(), Source: records.ByCommand,
		Try: func(ctx context.Context, loaded *content.Content, _ content.Digest) error {
			return live.Try(ctx, loaded, c.Content, c.Selection)
		},
	}
}

// makeChange checks a change and makes it, or with dryRun only prints its diff. err is the error of preparing it.
func makeChange(ctx context.Context, std Streams, curator *curation.Curator, dryRun bool, change *content.Change,
	err error) error {
	if curator.Dir == "" {
		return errors.New("FRONTDESK_CONTENT: the embedded sample cannot be changed; frontdesk init DIR writes it into a " +
			"folder")
	}
	if err == nil {
		_, _, err = curator.Check(ctx, change)
	}
	if err != nil {
		return fmt.Errorf("nothing was changed:\n%w", err)
	}
	if dryRun {
		_, err := fmt.Fprint(std.Out, change.Diff())
		return err
	}
	if _, err := curator.Make(ctx, change); err != nil {
		return err
	}
	return std.printf("%s, in %s; check and golden questions pass.\n", change.Summary, curator.Dir)
}
