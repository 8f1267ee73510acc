package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"
)

// Times of a watch. Saving a file or copying a folder makes several changes. They are
// reported as one as soon as nothing has changed for quiet.
const (
	quiet = time.Second
	retry = time.Second // after a watch that could not be set up
)

// Folder is a folder to watch, which need not exist yet and may come back. Its files may be
// written in place, replaced by renaming, or swapped as a whole behind a symbolic link, as
// Kubernetes does with a ConfigMap.
//
// The watch relies on the notifications of the operating system. Network file systems send
// none for changes by other machines, and a symbolic link further up the path is not
// watched: in both cases the operator sends SIGHUP.
type Folder struct {
	Path   string
	Within []string // names of its subfolders that count too, with their subfolders; they may be missing
	Log    zerolog.Logger
}

// Run calls changed when the watch has begun and then after every change, until ctx
// ends. Changes that come while changed runs lead to one more call. A call does not
// mean that the content differs: a file may have been rewritten with the same text.
func (f Folder) Run(ctx context.Context, changed func()) {
	warned := false
	for ctx.Err() == nil {
		watcher, err := f.begin()
		if err != nil {
			if !warned {
				f.Log.Warn().Err(err).Msg("cannot watch the folder; trying again")
			}
			warned = true
			select {
			case <-ctx.Done():
			case <-time.After(retry):
			}
			continue
		}
		warned = false
		changed() // no change is missed from here on: what is read now is the latest
		f.wait(ctx, watcher)
		_ = watcher.Close()
	}
}

// begin sets up a watch. It is set up again after every change, because the names may
// then belong to other folders. The parent is watched too, because the folder may be a
// link there or be created later; it is watched first, so that no change is missed.
func (f Folder) begin() (*fsnotify.Watcher, error) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return nil, err
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	above := watcher.Add(filepath.Dir(path))
	itself := watcher.Add(path)
	if above != nil && itself != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, itself), watcher.Close())
	}
	for _, name := range f.Within {
		within := filepath.Join(path, name)
		_ = watcher.Add(within) // may be missing: creating it changes the folder
		found, _ := os.ReadDir(within)
		for _, entry := range found {
			if entry.IsDir() {
				_ = watcher.Add(filepath.Join(within, entry.Name()))
			}
		}
	}
	return watcher, nil
}

// wait returns when the folder has changed and then been quiet, or when ctx ends.
func (f Folder) wait(ctx context.Context, watcher *fsnotify.Watcher) {
	var settled <-chan time.Time
	for {
		select {
		case event := <-watcher.Events:
			if f.concerns(event) {
				settled = time.After(quiet)
			}
		case err := <-watcher.Errors:
			// Most likely too many changes at once: some were not reported.
			f.Log.Debug().Err(err).Msg("watch error; rescanning")
			settled = time.After(retry)
		case <-settled:
			return
		case <-ctx.Done():
			return
		}
	}
}

// concerns reports whether an event is about the folder and not about a sibling in its
// parent.
func (f Folder) concerns(event fsnotify.Event) bool {
	path, err := filepath.Abs(f.Path)
	return err != nil || event.Name == path || filepath.Dir(event.Name) != filepath.Dir(path)
}
