package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/disk"
)

// stamp is the time in the name of a file, in UTC. fileName is the name of a daily backup.
const (
	stamp    = "20060102T150405Z"
	fileName = "frontdesk-" + stamp + ".tar.gz"
)

// late is the age at which the newest daily backup is too old: one was missed.
const late = 26 * time.Hour

// State is the state of the daily backups.
type State struct {
	At    time.Time // of the newest; zero if there is none
	Bytes int64     // of the newest
	Err   error     // why the last attempt failed, if it did
}

// IsLate reports whether the owner should look at it.
func (s State) IsLate(now time.Time) bool { return s.Err != nil || now.Sub(s.At) > late }

// Daily makes a backup every day.
type Daily struct {
	Service
	Folder string        // of the backups
	At     time.Duration // of the day in UTC
	Keep   int           // newest backups that are kept
	Log    zerolog.Logger
	Failed func(ctx context.Context) // called after each failed attempt

	mu  sync.Mutex
	err error // why the last attempt failed, or nil
}

// State reads the folder, where other programs make backups too.
func (d *Daily) State() State {
	newest, err := d.newest()
	d.mu.Lock()
	defer d.mu.Unlock()
	newest.Err = errors.Join(d.err, err)
	return newest
}

func (d *Daily) newest() (State, error) {
	names, err := d.list()
	if err != nil || len(names) == 0 {
		return State{}, err
	}
	last := names[len(names)-1]
	info, err := os.Stat(filepath.Join(d.Folder, last))
	if err != nil {
		return State{}, err
	}
	at, _ := time.Parse(fileName, last) // list has read it
	return State{At: at, Bytes: info.Size()}, nil
}

func isDaily(name string) bool {
	_, err := time.Parse(fileName, name)
	return err == nil
}

// ahead is how far the clock of another program that makes backups in the folder may be ahead.
const ahead = 5 * time.Minute

// list returns the names of the backups in the folder, the oldest first. It leaves out those of the future, made when
// the clock was wrong: they are neither the newest nor counted as kept.
func (d *Daily) list() (names []string, err error) {
	entries, err := os.ReadDir(d.Folder) // by name, and so by time
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if at, err := time.Parse(fileName, entry.Name()); err == nil && time.Until(at) < ahead {
			names = append(names, entry.Name())
		}
	}
	return names, err
}

// retry is the pause after a failed backup. Run looks at the clock at least as often, because
// it may be set.
const retry = time.Hour

// Run makes a backup at the time of each day, and at once if that of the last day is
// missing, until ctx ends.
func (d *Daily) Run(ctx context.Context) {
	for {
		wait := retry
		if due := d.due(); !time.Now().Before(due) {
			d.attempt(ctx)
		} else {
			wait = min(wait, time.Until(due))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// due returns when the next backup is due: at the time of day after the newest one.
func (d *Daily) due() time.Time {
	newest, _ := d.newest()
	due := newest.At.Truncate(24 * time.Hour).Add(d.At)
	if !due.After(newest.At) {
		due = due.Add(24 * time.Hour)
	}
	return due
}

func (d *Daily) attempt(ctx context.Context) {
	file, err := d.Make(ctx)
	if ctx.Err() != nil {
		return
	}
	d.mu.Lock()
	d.err = err
	d.mu.Unlock()
	if err != nil {
		d.Log.Error().Err(err).Stringer("again_in", retry).Msg("the daily backup failed")
		d.Failed(ctx)
		return
	}
	d.Log.Info().Str("file", file).Msg("daily backup written and verified by a test restore")
}

// Make makes a backup, verifies it and removes the oldest beyond Keep.
func (d *Daily) Make(ctx context.Context) (file string, err error) {
	// Before the backup, which may need the space.
	left := errors.Join(RemoveAbandoned(d.Records.Dir), removeLeft(d.Folder, disk.Staged, 0))
	file = filepath.Join(d.Folder, time.Now().UTC().Format(fileName))
	if err := Create(ctx, d.Service, file); err != nil {
		return "", err
	}
	names, err := d.list()
	err = errors.Join(left, err)
	for _, name := range names[:max(0, len(names)-d.Keep)] {
		err = errors.Join(err, os.Remove(filepath.Join(d.Folder, name)))
	}
	if err != nil {
		return "", fmt.Errorf("removing old backups: %w", err)
	}
	return file, nil
}

// RemoveAbandoned deletes from a data folder the copies of backups and restores that were killed more than a day ago.
func RemoveAbandoned(dir string) error { return removeLeft(dir, workFolders, fs.ModeDir) }

// removeLeft removes from dir what killed backups left: files of kind that match pattern and are more than a
// day old. Other programs may use the folder too, so it removes nothing else.
func removeLeft(dir, pattern string, kind fs.FileMode) (err error) {
	names, _ := fs.Glob(os.DirFS(dir), pattern) // the pattern is right
	for _, name := range names {
		path := filepath.Join(dir, name)
		info, failed := os.Lstat(path)
		if failed == nil && info.Mode().Type() == kind && time.Since(info.ModTime()) > 24*time.Hour {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}
