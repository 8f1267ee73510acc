package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/gaps"
	"frontdesk/internal/owner"
)

// corrections are what an owner does with questions; they implement owner.Corrections.
type corrections struct{ *Service }

// Obstacle implements owner.Corrections.
func (c *corrections) Obstacle() string {
	switch {
	case c.settings.Content == "":
		return "This desk shows the sample content, which is part of the program and cannot be changed."
	case c.settings.DatabaseURL != "" || c.settings.DatabaseURLFile != "" || c.config.Redis.IsSet():
		return "Several instances of the desk may share these files, so they are changed where they are kept, and not from here."
	case c.live.current.Load().untried && c.meaningError.Load() == nil:
		return "The desk is still reading its content. It can be changed here once that is done."
	case !isWritable(c.settings.Content):
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

// curator corrects the content as the command line does.
func (c *corrections) curator() *curation.Curator {
	return &curation.Curator{Store: c.store, Content: c.files(), Dir: c.settings.Content, Try: c.try}
}

// Accept implements owner.Corrections.
func (c *corrections) Accept(group gaps.Group, entryID, wording string) (owner.Change, error) {
	return c.change(c.curator().AcceptGroup(group, entryID, wording))
}

// Move implements owner.Corrections.
func (c *corrections) Move(ctx context.Context, number int64, to, wording string) (owner.Change, error) {
	return c.change(c.curator().Move(ctx, number, to, wording))
}

// Dismiss implements owner.Corrections.
func (c *corrections) Dismiss(ctx context.Context, group gaps.Group) error {
	return c.store.DismissQuestions(ctx, group.Numbers...)
}

// change is a checked correction that goes live when it is applied.
func (c *corrections) change(change *curation.Change, err error) (owner.Change, error) {
	switch {
	case errors.Is(err, curation.ErrNoQuestion):
		return owner.Change{}, &owner.Refused{Text: "The question is not on the list any more."}
	case errors.Is(err, curation.ErrMasked):
		return owner.Change{}, &owner.Refused{Text: "Parts of the question are hidden, because they could name a person. Please write it in your own words."}
	case err != nil:
		return owner.Change{}, &owner.Refused{Text: err.Error()}
	}
	return owner.Change{Diff: change.Diff, Apply: func(ctx context.Context) error {
		if err := change.Apply(context.WithoutCancel(ctx)); errors.Is(err, content.ErrChanged) {
			return &owner.Refused{Text: err.Error()}
		} else if err != nil {
			return fmt.Errorf("the content cannot be changed: %w", err)
		}
		return c.goLive(ctx)
	}}, nil
}

func (c *corrections) files() fs.FS {
	if c.settings.Content == "" {
		return content.Sample()
	}
	return os.DirFS(c.settings.Content)
}

// try fails when a golden question of the content does not hold.
func (c *corrections) try(loaded *content.Content) error {
	return c.builder.try(context.Background(), loaded)
}

// liveTimeout is how long a page waits for its change to be live.
const liveTimeout = 30 * time.Second

// goLive reloads the content. It was checked, so a refusal is about something else in the
// folder.
func (c *corrections) goLive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, liveTimeout)
	defer cancel()
	if _, err := c.requestReload(ctx); err != nil {
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
	_, _, err := curation.DeleteInquiry(ctx, o.store, o.mails, id)
	return err
}
