// Package watch tells when the files of a folder have changed: written in place,
// renamed over, or swapped as a whole behind a symbolic link, as Kubernetes does
// with a ConfigMap.
//
// It goes by what the operating system tells of the folder itself. A network file
// system tells nothing of what other machines write, and a link further up the path
// is not followed: there the operator has to say so himself (SIGHUP).
package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"
)

// Times of a watch. Whoever saves a file, or copies a folder, makes several changes:
// they are told as one, when it has been quiet, but never later than busy.
const (
	quiet = 200 * time.Millisecond
	busy  = 2 * time.Second
	retry = time.Second // after a watch that could not be set up
)

// Folder is a folder to watch, which need not exist yet and may come back.
type Folder struct {
	Path   string
	Within []string // names of folders in it whose files count too; they may be missing
	Log    zerolog.Logger
}

// Run calls changed when the watch has begun and then after every change, until ctx
// ends. Changes that come while changed runs lead to one more call. It may be called
// for nothing: somebody may have written what was there before.
func (f Folder) Run(ctx context.Context, changed func()) {
	warned := false
	for ctx.Err() == nil {
		watcher, err := f.begin()
		if err != nil {
			if !warned {
				f.Log.Warn().Err(err).Msg("the folder cannot be watched; trying again")
			}
			warned = true
			pause(ctx, retry)
			continue
		}
		warned = false
		changed() // no change is missed from here on: what is read now is the latest
		f.wait(ctx, watcher)
		_ = watcher.Close()
	}
}

// begin sets up a watch. It is done anew after every change: the names may stand
// for other folders then. The folder above is watched too, in which this one may be
// a link, or come back; before this one, so that no moment is left out.
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
		_ = watcher.Add(filepath.Join(path, name)) // the folder tells when it comes
	}
	return watcher, nil
}

// wait returns when the folder has changed and it has been quiet since, or when ctx
// ends.
func (f Folder) wait(ctx context.Context, watcher *fsnotify.Watcher) {
	var settled, late <-chan time.Time
	for {
		select {
		case event := <-watcher.Events:
			if !f.concerns(event) {
				continue
			}
			settled = time.After(quiet)
			if late == nil {
				late = time.After(busy)
			}
		case err := <-watcher.Errors:
			// Most likely too many changes at once: some were not told.
			f.Log.Debug().Err(err).Msg("watching the folder")
			settled = time.After(retry)
		case <-settled:
			return
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// concerns reports whether an event is about the folder rather than about a
// neighbour of it.
func (f Folder) concerns(event fsnotify.Event) bool {
	path, err := filepath.Abs(f.Path)
	return err != nil || event.Name == path || filepath.Dir(event.Name) != filepath.Dir(path)
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
