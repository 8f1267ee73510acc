package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/gaps"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// corrections are what an owner does with questions; they implement owner.Corrections.
type corrections struct {
	store   *records.Store
	folder  string // of the content; empty for the embedded sample
	shared  bool   // several instances may have the content
	builder builder
	reload  chan<- chan<- reloadVerdict
}

// Obstacle implements owner.Corrections.
func (c *corrections) Obstacle() string {
	switch {
	case c.folder == "":
		return "This desk shows the sample content, which is part of the program and cannot be changed."
	case c.shared:
		return "Several instances of the desk may share these files, so they are changed where they are kept, and not from here."
	case !isWritable(c.folder):
		return "The desk may not write to the folder of its content."
	}
	return ""
}

// isWritable reports whether files can be made in a folder. Hidden files are no content.
func isWritable(folder string) bool {
	file, err := os.CreateTemp(folder, ".frontdesk-*")
	if err != nil {
		return false
	}
	_ = file.Close()
	return os.Remove(file.Name()) == nil
}

// Accept implements owner.Corrections.
func (c *corrections) Accept(ctx context.Context, number int64, entryID, wording string) (owner.Change, error) {
	group, found, err := c.group(ctx, number)
	if err != nil {
		return owner.Change{}, err
	}
	wording = contract.VisibleText(wording)
	switch {
	case !found:
		return owner.Change{}, &owner.Refused{Text: "The question is not on the list any more."}
	case wording == "":
		return owner.Change{}, &owner.Refused{Text: "Please write the question as it will be understood."}
	case gaps.IsMasked(wording):
		return owner.Change{}, &owner.Refused{Text: "Parts of the question are hidden. Please write it in your own words."}
	}
	edit, err := content.AddAlternate(c.files(), entryID, wording)
	return c.tried(err, func() error { return c.store.AcceptQuestions(context.WithoutCancel(ctx), group.Numbers...) }, edit)
}

// Move implements owner.Corrections.
func (c *corrections) Move(ctx context.Context, number int64, to string) (owner.Change, error) {
	answered, err := c.store.AnsweredQuestion(ctx, number)
	if err != nil {
		return owner.Change{}, err
	}
	question := contract.VisibleText(answered.Q)
	if gaps.IsMasked(question) {
		return owner.Change{}, &owner.Refused{Text: "Parts of the question are hidden, because they could name a person. Write one like it into faq.yaml yourself."}
	}
	settle := func() error { return c.store.DismissAnswered(context.WithoutCancel(ctx), number) }
	files, edits := c.files(), []*content.Edit(nil)
	// The wording may be an alternate of the entry that answered.
	if removed, err := content.RemoveAlternate(files, answered.EntryID, question); err == nil {
		files, edits = removed, append(edits, removed)
	}
	var edit *content.Edit
	if to == owner.Unanswered {
		edit, err = content.AddUnanswered(files, question)
	} else {
		edit, err = content.AddAlternate(files, to, question)
	}
	return c.tried(err, settle, append(edits, edit)...)
}

// Dismiss implements owner.Corrections.
func (c *corrections) Dismiss(ctx context.Context, number int64) error {
	group, found, err := c.group(ctx, number)
	if err != nil || !found {
		return err
	}
	return c.store.DismissQuestions(ctx, group.Numbers...)
}

// group is the group of a question, as the list shows it.
func (c *corrections) group(ctx context.Context, number int64) (group gaps.Group, found bool, err error) {
	questions, err := c.store.Questions(ctx)
	if err != nil {
		return gaps.Group{}, false, err
	}
	groups, err := owner.Groups(ctx, questions)
	if err != nil {
		return gaps.Group{}, false, err
	}
	group, found = gaps.Find(groups, number)
	return group, found, nil
}

func (c *corrections) files() fs.FS {
	if c.folder == "" {
		return content.Sample()
	}
	return os.DirFS(c.folder)
}

// tried checks edits, the golden questions included, and makes a change of them. settle
// takes the question off its list once they are made. Each edit was made of the one
// before.
func (c *corrections) tried(err error, settle func() error, edits ...*content.Edit) (owner.Change, error) {
	if err == nil {
		err = c.try(edits[len(edits)-1])
	}
	if err != nil {
		return owner.Change{}, &owner.Refused{Text: err.Error()}
	}
	var diff strings.Builder
	for _, edit := range edits {
		diff.WriteString(edit.Diff())
	}
	return owner.Change{Diff: diff.String(), Apply: func(ctx context.Context) error {
		for _, edit := range edits {
			if err := edit.Apply(c.folder); errors.Is(err, content.ErrChanged) {
				return &owner.Refused{Text: err.Error()}
			} else if err != nil {
				return fmt.Errorf("the content cannot be changed: %w", err)
			}
		}
		if err := settle(); err != nil {
			return err
		}
		return c.goLive(ctx)
	}}, nil
}

// try fails when the content that a file system holds would be refused.
func (c *corrections) try(files fs.FS) error {
	loaded, err := content.Load(files)
	if err != nil {
		return err
	}
	return tryContent(loaded, func(entries content.FAQ) *faq.Book {
		return c.builder.newBook(entries, loaded.Golden.Unanswered, c.builder.precision, discovery.Addresses{}.Resolve)
	})
}

// liveTimeout is how long a page waits for its change to be live.
const liveTimeout = 30 * time.Second

// goLive reloads the content. It was checked, so a refusal is about something else in the
// folder.
func (c *corrections) goLive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, liveTimeout)
	defer cancel()
	if _, err := requestReload(ctx, c.reload); err != nil {
		return &owner.Refused{Text: "The change is in your files, but not live: " + err.Error()}
	}
	return nil
}

// Suggest implements owner.Service.
func (o *ownerService) Suggest(_ context.Context, q string) []string {
	best := o.live.current.Load().book.Try(q).Best
	return slices.Clone(best[:min(len(best), contract.MaxSuggestions)])
}

// DeleteInquiry implements owner.Service.
func (o *ownerService) DeleteInquiry(ctx context.Context, id string) error {
	deleted, err := o.store.DeleteInquiry(ctx, id, time.Now())
	if err != nil {
		return err
	}
	if folder, kept := o.config.Mail.(*mailer.Folder); kept {
		_, err = folder.Delete(deleted.MessageID)
	}
	return err
}
