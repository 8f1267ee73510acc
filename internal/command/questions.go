package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"frontdesk/content"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/gaps"
)

// questionsCmd lists unanswered questions, and makes one an alternate.
type questionsCmd struct {
	config.DataFolder
	config.Selection
	Content string `env:"FRONTDESK_CONTENT" placeholder:"DIR" help:"Content folder, for --accept."`
	JSON    bool   `name:"json" help:"Print one JSON array."`
	Accept  *int64 `and:"accept" placeholder:"N" help:"Make question N of the list an alternate of the entry."`
	Entry   string `and:"accept" placeholder:"ID" help:"The entry that answers the accepted question."`
}

// Help is kong's text below the usage.
func (questionsCmd) Help() string {
	return "Most asked first, similar ones together; numbers and addresses are masked. " +
		"With --accept and --entry a question becomes an alternate of an entry in faq.yaml, if check and the golden questions still hold.\n\n" +
		"Example:\n\n\tfrontdesk questions\n\tfrontdesk questions --accept 3 --entry refunds --content mydesk"
}

// Run lists the questions, the most asked first, or accepts one.
func (c *questionsCmd) Run(ctx context.Context, std Streams) (err error) {
	store, err := app.OpenRecords(ctx, c.DataFolder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	questions, err := store.Questions(ctx)
	if err != nil {
		return err
	}
	groups, err := gaps.Groups(ctx, questions)
	if err != nil {
		return err
	}
	if c.Accept == nil {
		return c.list(std, groups)
	}
	group, ok := gaps.Find(groups, *c.Accept)
	if !ok {
		return fmt.Errorf("there is no question %d; frontdesk questions lists them", *c.Accept)
	}
	if err := c.accept(group.Q); err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "%q is now an alternate of %q in %s; check and golden questions hold.\n", group.Q, c.Entry, c.Content)
	return store.AcceptQuestions(ctx, group.Numbers...)
}

// accept adds a question to the entry's alternates. The folder changes only when its
// new state passes the checks.
func (c *questionsCmd) accept(question string) error {
	switch {
	case c.Content == "":
		return errors.New("FRONTDESK_CONTENT: the embedded sample cannot be changed; frontdesk init DIR writes it into a folder")
	case gaps.IsMasked(question):
		return fmt.Errorf("parts of %q are masked; write an alternate of your own in faq.yaml", question)
	}
	edit, err := content.AddAlternate(os.DirFS(c.Content), c.Entry, question)
	if err != nil {
		return unchanged(err)
	}
	loaded, err := content.Load(edit)
	if err != nil {
		return unchanged(err)
	}
	if _, err := c.Precision(); err != nil {
		return unchanged(err)
	}
	if err := app.TryContent(loaded, c.Selection); err != nil {
		return unchanged(err)
	}
	return edit.Apply(c.Content)
}

func unchanged(err error) error { return fmt.Errorf("nothing was changed:\n%w", err) }

func (c *questionsCmd) list(std Streams, groups []gaps.Group) error {
	if c.JSON {
		return printJSON(std.Out, groups)
	}
	if len(groups) == 0 {
		fmt.Fprintln(std.Out, "No unanswered questions yet.")
		return nil
	}
	table := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "N\tASKED\tUNHELPFUL\tLAST\tQUESTION")
	for _, g := range groups {
		question := visible(g.Q)
		if len(g.Like) > 0 {
			question += fmt.Sprintf(" (and %d like it)", len(g.Like))
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t%s\t%s\n", g.Number, g.Count, g.Unhelpful, g.LastAt.Local().Format(time.DateTime), question)
	}
	return table.Flush()
}

// visible removes from a stranger's text what a terminal would obey instead of show,
// such as a change of writing direction.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, text)
}
