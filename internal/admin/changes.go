package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/disk"
	"frontdesk/internal/i18n"
	"frontdesk/internal/live"
	"frontdesk/internal/records"
)

// obstacle is the key of the message why the content cannot be changed from the owner's
// pages; it is empty when it can.
func (a *Admin) obstacle() string {
	state, _ := a.Live.State()
	switch {
	case a.Settings.Content == "":
		return "owner.obstacle.sample"
	case a.Settings.IsShared() || a.Settings.Redis.IsSet():
		return "owner.obstacle.shared"
	case state == live.Encoding:
		return "owner.obstacle.reading"
	}
	return obstacleOf(disk.TryWriting(a.Settings.Content))
}

// obstacleOf returns the message key of a write error, or "" for none.
func obstacleOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, syscall.ENOSPC):
		return "owner.reason.full"
	}
	return "owner.obstacle.folder"
}

// curator returns the gate for changes of the content from the owner's pages.
func (a *Admin) curator() *curation.Curator {
	files := content.Sample()
	if a.Settings.Content != "" {
		files = os.DirFS(a.Settings.Content)
	}
	return &curation.Curator{
		Store: a.Store, Content: files, Dir: a.Settings.Content, Data: a.Settings.Dir(), Source: records.ByPage,
		Try: a.Live.Try, Live: a.goLive,
	}
}

// liveTimeout is how long a page waits for its change to be live.
const liveTimeout = 30 * time.Second

// goLive reloads the content. It was checked, so a refusal is about something else in the
// folder.
func (a *Admin) goLive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, liveTimeout)
	defer cancel()
	err := a.Live.Request(ctx)
	if err != nil {
		err = fmt.Errorf("%w: %w", curation.ErrNotLive, err)
	}
	return err
}

// errHistory is logged when a change cannot be added to the history.
const errHistory = "cannot record the content change in the history"

// NoteEdit adds a change that a reload noticed to the history, unless a page or a command has already added it.
func (a *Admin) NoteEdit(ctx context.Context, from, to *live.Snapshot) {
	change := content.Between(from.Content, to.Content)
	err := curation.Keep(a.Settings.Dir(), change)
	_, failed := a.Store.AddChange(ctx, records.Change{
		Source: records.ByFile, Summary: i18n.For(a.Live.Language()).Text("owner.summary.edited",
			strings.Join(change.Files(), ", ")), Diff: change.Diff(),
		Edits: change.Edits().String(), From: from.Revision(), To: to.Revision(), At: time.Now(),
	}, from.Loaded)
	if err = errors.Join(err, failed); err != nil {
		a.Log.Error().Err(err).Msg(errHistory)
	}
}

// NoteStopped adds an entry to the history if the files changed while the service was stopped: the content at the
// start differs from that of the last change. The earlier files are unknown, so the entry has no diff.
func (a *Admin) NoteStopped(ctx context.Context, first *live.Snapshot) {
	if a.Settings.Content == "" || a.Live.Now() != first {
		return
	}
	last, err := a.Store.Changes(ctx, records.Page{Limit: 1})
	if err == nil && len(last) > 0 && last[0].To != first.Revision() {
		_, err = a.Store.AddChange(ctx, records.Change{
			Source: records.ByFile, Summary: i18n.For(a.Live.Language()).Text("owner.summary.stopped"),
			From: last[0].To, To: first.Revision(), At: time.Now(),
		}, first.Loaded)
	}
	if err != nil && ctx.Err() == nil {
		a.Log.Error().Err(err).Msg(errHistory)
	}
}
