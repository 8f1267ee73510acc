package curation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/gaps"
	"frontdesk/internal/records"
)

// Unanswered is where Move takes a question that no entry must answer: the list of that
// name in golden.yaml.
const Unanswered = "unanswered"

var (
	// ErrNoQuestion reports a number that no question has.
	ErrNoQuestion = errors.New("there is no such question")
	// ErrMasked reports a question whose parts are masked: its text cannot be an alternate.
	ErrMasked = errors.New("parts of the question are masked: give the wording in your own words")
	// ErrReadOnly reports content that cannot be written, such as the embedded sample.
	ErrReadOnly = errors.New("the content cannot be written here")
)

// Curator corrects the content of a service by the questions that it was asked.
type Curator struct {
	Store   *records.Store
	Content fs.FS  // the content folder
	Dir     string // the same folder, to write to; empty for content that cannot be written
	// Try builds checked content as a start would. It fails when a golden question does
	// not hold.
	Try func(*content.Content) error
}

// Change is a correction that was checked and is not made yet.
type Change struct {
	Question string // the wording, as it will be written
	EntryID  string // the entry that will answer it; empty for Unanswered
	Diff     string // of all files, unified

	dir   string
	edits []*content.Edit
	done  func(ctx context.Context) error
}

// Apply writes the files of a change and takes its question off the list. The errors are
// ErrReadOnly, those of content.Apply, and the database's.
func (c *Change) Apply(ctx context.Context) error {
	if c.dir == "" {
		return ErrReadOnly
	}
	if err := content.Apply(ctx, c.dir, c.edits...); err != nil {
		return err
	}
	return c.done(ctx)
}

// Accept prepares to make a question, with all that are nearly the same, an alternate of
// an entry. Its errors are ErrNoQuestion and those of AcceptGroup.
func (c *Curator) Accept(ctx context.Context, number int64, entryID, wording string) (*Change, error) {
	group, err := c.group(ctx, number)
	if err != nil {
		return nil, err
	}
	return c.AcceptGroup(group, entryID, wording)
}

// AcceptGroup prepares to make a question an alternate of an entry. An empty wording means
// the question as it was asked, of which only the visible text is taken. Nothing is changed
// before Apply, which takes exactly the questions of the group off the list.
//
// The errors are ErrMasked, content.ErrByHand, content.Faults and that of Try. Their texts
// are for the owner.
func (c *Curator) AcceptGroup(group gaps.Group, entryID, wording string) (*Change, error) {
	wording, err := ownWording(group.Q, wording)
	if err != nil {
		return nil, err
	}
	change := &Change{Question: wording, EntryID: entryID, dir: c.Dir}
	change.done = func(ctx context.Context) error { return c.Store.AcceptQuestions(ctx, group.Numbers...) }
	return change, c.prepare(change, func(folder fs.FS) (*content.Edit, error) {
		return content.AddAlternate(folder, entryID, wording)
	})
}

// Move prepares to take a wording away from the entry that answers it, to another entry or
// to Unanswered. The question is an answered one. An empty wording means the question as it
// was asked. After Apply its counts are deleted, so that it is listed again only if it is
// answered wrongly again. The errors are those of Accept.
func (c *Curator) Move(ctx context.Context, answered int64, to, wording string) (*Change, error) {
	question, err := c.Store.AnsweredQuestion(ctx, answered)
	if errors.Is(err, records.ErrNotFound) {
		return nil, fmt.Errorf("%w: %d", ErrNoQuestion, answered)
	}
	if err != nil {
		return nil, err
	}
	if wording, err = ownWording(question.Q, wording); err != nil {
		return nil, err
	}
	change := &Change{Question: wording, dir: c.Dir}
	change.done = func(ctx context.Context) error {
		_, err := c.Store.DeleteAnswered(ctx, answered)
		return err
	}
	steps, err := c.removals(wording, to)
	if err != nil {
		return nil, err
	}
	if to == Unanswered {
		steps = append(steps, func(folder fs.FS) (*content.Edit, error) { return content.AddUnanswered(folder, wording) })
	} else {
		change.EntryID = to
		steps = append(steps, func(folder fs.FS) (*content.Edit, error) { return content.AddAlternate(folder, to, wording) })
	}
	return change, c.prepare(change, steps...)
}

// ownWording is the text of a correction: the owner's own, or the visible text of the
// question if nothing of it is masked.
func ownWording(question, wording string) (string, error) {
	if own := contract.VisibleText(wording); own != "" {
		return own, nil
	}
	if gaps.IsMasked(question) {
		return "", fmt.Errorf("%q: %w", contract.VisibleText(question), ErrMasked)
	}
	return contract.VisibleText(question), nil
}

// step is one edit of a change.
type step = func(folder fs.FS) (*content.Edit, error)

// removals take a wording away from the entries that have it as an alternate.
func (c *Curator) removals(wording, to string) ([]step, error) {
	loaded, err := content.Load(c.Content)
	if err != nil {
		return nil, err
	}
	key := content.QuestionKey(wording)
	var steps []step
	for _, entry := range slices.Concat(loaded.FAQ.Entries, loaded.Drafts) {
		if content.QuestionKey(entry.Question) == key {
			return nil, fmt.Errorf("%q is the question of the entry %q itself: change it in faq.yaml", wording, entry.ID)
		}
		for _, alternate := range entry.Alternates {
			if content.QuestionKey(alternate) != key {
				continue
			}
			if entry.ID == to {
				return nil, fmt.Errorf("%q is an alternate of %q already", wording, to)
			}
			steps = append(steps, func(folder fs.FS) (*content.Edit, error) {
				return content.RemoveAlternate(folder, entry.ID, alternate)
			})
		}
	}
	return steps, nil
}

// prepare makes the edits of a change, one on top of the other, and checks what they lead
// to.
func (c *Curator) prepare(change *Change, steps ...step) error {
	var folder fs.FS = c.Content
	var diffs []string
	for _, step := range steps {
		edit, err := step(folder)
		if err != nil {
			return err
		}
		change.edits, diffs, folder = append(change.edits, edit), append(diffs, edit.Diff()), edit
	}
	change.Diff = strings.Join(diffs, "")
	loaded, err := content.Load(folder)
	if err != nil {
		return err
	}
	return c.Try(loaded)
}

// group is the group of open questions that a number belongs to.
func (c *Curator) group(ctx context.Context, number int64) (gaps.Group, error) {
	questions, err := c.Store.Questions(ctx)
	if err != nil {
		return gaps.Group{}, err
	}
	groups, err := gaps.Groups(ctx, questions)
	if err != nil {
		return gaps.Group{}, err
	}
	group, found := gaps.Find(groups, number)
	if !found {
		return gaps.Group{}, fmt.Errorf("%w: %d", ErrNoQuestion, number)
	}
	return group, nil
}

// Dismiss takes a question, with all that are nearly the same, off the list for good, and
// returns the group. The error is ErrNoQuestion, or the database's.
func (c *Curator) Dismiss(ctx context.Context, number int64) (gaps.Group, error) {
	group, err := c.group(ctx, number)
	if err == nil {
		err = c.Store.DismissQuestions(ctx, group.Numbers...)
	}
	return group, err
}

// Delete deletes a question, with all that are nearly the same, and returns the group. The
// error is ErrNoQuestion, or the database's.
func (c *Curator) Delete(ctx context.Context, number int64) (gaps.Group, error) {
	group, err := c.group(ctx, number)
	if err == nil {
		_, err = c.Store.DeleteQuestions(ctx, group.Numbers...)
	}
	return group, err
}
