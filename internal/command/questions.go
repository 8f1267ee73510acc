package command

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

// questionsCmd is what an owner does with the questions that the service was asked.
type questionsCmd struct {
	Action string `arg:"" optional:"" default:"list" enum:"list,accept,move,dismiss,delete"`
	Number int64  `arg:"" optional:"" name:"n"`
	curated
	Wrong  bool
	Entry  string `placeholder:"ID"`
	To     string `placeholder:"ID|unanswered"`
	As     string `placeholder:"WORDING"`
	DryRun bool
	JSON   bool
}

// Validate reports a combination of arguments without a meaning.
func (c *questionsCmd) Validate() error {
	switch {
	case c.Action != "list" && c.Number == 0:
		return fmt.Errorf("%s needs the number of a question", c.Action)
	case c.Action == "list" && c.Number != 0:
		return errors.New("list takes no number")
	case c.Wrong && c.Action == "accept":
		return errors.New("accept takes no --wrong: move corrects an answered question")
	case (c.Action == "accept") != (c.Entry != ""):
		return errors.New("accept needs --entry, which only accept takes")
	case (c.Action == "move") != (c.To != ""):
		return errors.New("move needs --to, which only move takes")
	case c.Action != "accept" && c.Action != "move" && (c.DryRun || c.As != ""):
		return errors.New("only accept and move take --dry-run and --as")
	}
	return nil
}

func (c *questionsCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	curator := c.curator(store)
	switch {
	case c.Action == "accept":
		var change *content.Change
		group, err := curator.Group(ctx, c.Number, curator.Groups)
		if err == nil {
			change, err = curator.Accept([]questions.Group{group}, c.Entry, []string{c.As})
		}
		return makeChange(ctx, std, curator, c.DryRun, change, err)
	case c.Action == "move":
		change, err := curator.Move(ctx, c.Number, c.To, c.As)
		return makeChange(ctx, std, curator, c.DryRun, change, err)
	case c.Action != "list" && c.Wrong:
		return c.takeOffWrong(ctx, std, store)
	case c.Action != "list":
		return c.takeOff(ctx, std, curator)
	case c.Wrong:
		return c.listWrong(ctx, std, store)
	}
	groups, err := curator.Groups(ctx)
	return printList(std, groups, err, c.JSON, "No unanswered questions yet.", "N\tASKED\tUNHELPFUL\tLAST\tQUESTION",
		func(g questions.Group) []any {
			if len(g.Like) > 0 {
				g.Q += fmt.Sprintf(" (and %d like it)", len(g.Like))
			}
			return []any{g.Number, g.Count, g.Unhelpful, shortTime(g.LastAt), g.Q}
		})
}

// listWrong lists answers that did not help.
func (c *questionsCmd) listWrong(ctx context.Context, std Streams, store *records.Store) error {
	list, err := store.AnsweredQuestions(ctx, records.AnsweredFilter{Wrong: true})
	return printList(std, list, err, c.JSON,
		"No answer was marked unhelpful. Answered questions are kept only with FRONTDESK_KEEP_ANSWERED=true.",
		"N\tASKED\tHELPFUL\tUNHELPFUL\tANSWERED BY\tMATCH\tCONFIDENCE\tQUESTION", func(a records.Answered) []any {
			confidence := ""
			if a.Confidence > 0 {
				confidence = fmt.Sprintf("%.0f %%", 100*a.Confidence)
			}
			return []any{a.Number, a.Asked, a.Helpful, a.Unhelpful, a.EntryID, a.Match, confidence, a.Q}
		})
}

// takenOff are the actions that change the lists, as they are reported.
var takenOff = map[string]string{"dismiss": "dismissed", "delete": "deleted"}

// takeOff dismisses or deletes a question with all that are nearly the same.
func (c *questionsCmd) takeOff(ctx context.Context, std Streams, curator *curation.Curator) error {
	group, err := curator.Group(ctx, c.Number, curator.Groups)
	if errors.Is(err, curation.ErrNoQuestion) {
		return fmt.Errorf("%w; frontdesk questions lists them", err)
	}
	if err == nil {
		_, err = curator.Store.ActOnQuestions(ctx, records.QuestionAction(c.Action), group.Keys...)
	}
	if err != nil {
		return err
	}
	return std.printf("%q is %s, and %d like it.\n", printable(group.Q), takenOff[c.Action], len(group.Like))
}

// takeOffWrong dismisses or deletes an answered question.
func (c *questionsCmd) takeOffWrong(ctx context.Context, std Streams, store *records.Store) error {
	question, err := store.AnsweredQuestion(ctx, c.Number)
	if errors.Is(err, records.ErrNotFound) {
		return fmt.Errorf("%w: %d; frontdesk questions --wrong lists them", curation.ErrNoQuestion, c.Number)
	}
	if err == nil {
		_, err = store.ActOnAnswered(ctx, records.QuestionAction(c.Action), c.Number)
	}
	if err != nil {
		return err
	}
	return std.printf("%q is %s.\n", printable(question.Q), takenOff[c.Action])
}
