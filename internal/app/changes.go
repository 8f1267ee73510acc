package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/discovery"
	"frontdesk/internal/i18n"
	"frontdesk/internal/records"
)

// obstacle is the key of the message why the content cannot be changed from the owner's
// pages; it is empty when it can.
func (s *Service) obstacle() string {
	switch {
	case s.config.Content == "":
		return "owner.obstacle.sample"
	case s.config.DatabaseURL != "" || s.config.DatabaseURLFile != "" || s.config.Redis.IsSet():
		return "owner.obstacle.shared"
	case s.live.now().untried && s.meaningError.Load() == nil:
		return "owner.obstacle.reading"
	case !isWritable(s.config.Content):
		return "owner.obstacle.folder"
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

// curator returns the gate for changes of the content from the owner's pages.
func (s *Service) curator() *curation.Curator {
	files := content.Sample()
	if s.config.Content != "" {
		files = os.DirFS(s.config.Content)
	}
	return &curation.Curator{
		Store: s.store, Content: files, Dir: s.config.Content, Data: s.config.Dir(), Source: records.ByPage,
		Try: s.tryChange, Live: s.goLive,
	}
}

// maxPreviews is how many changes that were tried can be looked at; each is as large as the
// live content.
const maxPreviews = 2

// tryChange builds the content that a change leads to, and keeps it to be looked at. It
// fails when a golden question does not hold.
func (s *Service) tryChange(ctx context.Context, loaded *content.Content, state content.State) error {
	if _, found := s.previews.Get(state.Revision()); found {
		return nil
	}
	made, err := attempt(ctx, s.log, func() (*snapshot, error) {
		return s.builder.build(ctx, loaded, state)
	})
	if err == nil {
		s.previews.Add(state.Revision(), made)
	}
	return err
}

// liveTimeout is how long a page waits for its change to be live.
const liveTimeout = 30 * time.Second

// goLive reloads the content. It was checked, so a refusal is about something else in the
// folder.
func (s *Service) goLive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, liveTimeout)
	defer cancel()
	_, err := s.requestReload(ctx)
	if err != nil {
		err = fmt.Errorf("%w: %w", curation.ErrNotLive, err)
	}
	return err
}

// noteEdit adds a change to the history that was noticed at a reload. A page or a command
// has added its own already.
func (s *Service) noteEdit(ctx context.Context, from, to *snapshot) {
	change := content.Between(from.content, to.content)
	err := curation.Keep(s.config.Dir(), change)
	err = errors.Join(err, s.store.AddChange(ctx, records.Change{
		Source: records.ByFile, Summary: i18n.For(s.live.language()).Text("owner.summary.edited",
			strings.Join(change.Files(), ", ")), Diff: change.Diff(),
		From: from.state.Revision(), To: to.state.Revision(), At: time.Now(),
	}, from.facts.Loaded))
	if err != nil {
		s.log.Error().Err(err).Msg("the change of the content is not in its history")
	}
}

// noteStopped adds a change to the history that was made while the service was stopped: the
// content of the start is not that of the last change. The files as they were are unknown,
// and so are the lines that differ.
func (s *Service) noteStopped(ctx context.Context, first *snapshot) {
	if s.config.Content == "" || s.live.now() != first {
		return
	}
	last, err := s.store.Changes(ctx, records.Page{Limit: 1})
	if err == nil && len(last) > 0 && last[0].To != first.state.Revision() {
		err = s.store.AddChange(ctx, records.Change{
			Source: records.ByFile, Summary: i18n.For(s.live.language()).Text("owner.summary.stopped"),
			From: last[0].To, To: first.state.Revision(), At: time.Now(),
		}, first.facts.Loaded)
	}
	if err != nil && ctx.Err() == nil {
		s.log.Error().Err(err).Msg("the change of the content is not in its history")
	}
}

func (o *ownerService) Suggest(_ context.Context, q string) []string {
	best := o.live.now().book.Try(q).Best
	return slices.Clone(best[:min(len(best), contract.MaxSuggestions)])
}

func (o *ownerService) DeleteInquiry(ctx context.Context, id string) error {
	_, _, err := curation.DeleteInquiry(ctx, o.store, o.mails, id)
	return err
}

func (o *ownerService) Preview(revision, path string) (document *discovery.Document, found bool) {
	made, found := o.previews.Get(revision)
	if !found {
		return nil, false
	}
	if page := made.published().Page(path); page != nil {
		return page.HTML, true
	}
	return made.published().Document(path), true
}
