package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Edit is a change of one file of a content folder that is not made yet. As a file
// system it is the folder as it would be, so that the change can be checked first, and
// another one can be made of it.
type Edit struct {
	Name   string // of the file
	text   []byte
	before []byte // nil for a file that does not exist yet
	folder fs.FS
}

// ErrChanged reports that a file was changed after an Edit of it was prepared.
var ErrChanged = errors.New("the file was changed meanwhile; try again")

// Open implements fs.FS.
func (e *Edit) Open(name string) (fs.File, error) {
	file, err := e.folder.Open(name)
	switch {
	case name != e.Name || err != nil && !errors.Is(err, fs.ErrNotExist):
		return file, err
	case err != nil:
		return editedFile{File: newFile{e}, text: bytes.NewReader(e.text)}, nil
	}
	return editedFile{File: file, text: bytes.NewReader(e.text)}, nil
}

// ReadDir implements fs.ReadDirFS: a file that the change makes is listed.
func (e *Edit) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(e.folder, name)
	if err != nil || name != "." || e.before != nil {
		return entries, err
	}
	return append(entries, fs.FileInfoToDirEntry(newFile{e})), nil
}

// editedFile is a file with another text.
type editedFile struct {
	fs.File
	text *bytes.Reader
}

func (f editedFile) Read(p []byte) (int, error) { return f.text.Read(p) }

// newFile is a file that an Edit makes; it is also its own description.
type newFile struct{ edit *Edit }

func (f newFile) Stat() (fs.FileInfo, error) { return f, nil }
func (newFile) Read([]byte) (int, error)     { return 0, fs.ErrInvalid } // editedFile has the text
func (newFile) Close() error                 { return nil }
func (f newFile) Name() string               { return f.edit.Name }
func (f newFile) Size() int64                { return int64(len(f.edit.text)) }
func (newFile) Mode() fs.FileMode            { return newFileMode }
func (newFile) ModTime() time.Time           { return time.Time{} }
func (newFile) IsDir() bool                  { return false }
func (newFile) Sys() any                     { return nil }

// newFileMode is the mode of a file that an Edit makes.
const newFileMode fs.FileMode = 0o644

// contextLines is how many unchanged lines a diff shows before and behind a change.
const contextLines = 3

// Diff is the change as a unified diff of one hunk.
func (e *Edit) Diff() string {
	before, after := slices.Collect(strings.Lines(string(e.before))), slices.Collect(strings.Lines(string(e.text)))
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	tail := 0
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	first, rest := max(0, same-contextLines), min(tail, contextLines)
	var diff strings.Builder
	fmt.Fprintf(&diff, "--- %[1]s\n+++ %[1]s\n@@ -%d,%d +%d,%d @@\n", e.Name,
		first+1, len(before)-tail+rest-first, first+1, len(after)-tail+rest-first)
	for _, part := range []struct {
		sign  string
		lines []string
	}{
		{" ", before[first:same]},
		{"-", before[same : len(before)-tail]},
		{"+", after[same : len(after)-tail]},
		{" ", after[len(after)-tail:][:rest]},
	} {
		for _, line := range part.lines {
			diff.WriteString(part.sign + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return diff.String()
}

// lockFile is the file of a content folder that Apply locks. It is hidden: not read as
// content.
const lockFile = ".frontdesk.lock"

// How long, and how often, Apply asks for the lock of a folder. It is held while one
// correction is written.
const (
	lockPatience = 10 * time.Second
	lockPause    = 10 * time.Millisecond
)

// Apply makes the changes in dir, each at once: a reader of a file sees the old text or the
// new one. A link stays a link. It fails with ErrChanged, and writes nothing, when a file
// is no longer the one that its change was made of. A lock from that comparison to the last
// renaming, across processes, keeps two corrections from replacing each other.
func Apply(ctx context.Context, dir string, edits ...*Edit) error {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(newFileMode))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	defer lock.Close()
	first := map[string]bool{} // later edits of a file are made of earlier ones
	for _, edit := range edits {
		if !first[edit.Name] {
			if _, _, err := edit.target(dir); err != nil {
				return err
			}
		}
		first[edit.Name] = true
	}
	for _, edit := range edits {
		if err := edit.apply(dir); err != nil {
			return err
		}
	}
	return nil
}

// target returns the file to replace, which a link may lead to, and its mode. It fails with
// ErrChanged when the file is no longer the one that the change was made of.
func (e *Edit) target(dir string) (path string, mode fs.FileMode, err error) {
	path = filepath.Join(dir, e.Name)
	now, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && e.before == nil:
		return path, newFileMode, nil
	case err != nil:
		return "", 0, err
	case e.before == nil || !bytes.Equal(now, e.before):
		return "", 0, fmt.Errorf("%s: %w", e.Name, ErrChanged)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	return path, info.Mode().Perm(), nil
}

// apply replaces the file. It compares again after the new text is on the disk, because an
// editor that does not know the lock may have written meanwhile.
func (e *Edit) apply(dir string) error {
	path, mode, err := e.target(dir)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+e.Name+"-*") // hidden: not read as content
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // after the renaming there is none
	_, err = temporary.Write(e.text)
	for _, step := range []func() error{
		func() error { return temporary.Chmod(mode) },
		temporary.Sync,
		temporary.Close,
		func() error { _, _, err := e.target(dir); return err },
		func() error { return os.Rename(temporary.Name(), path) },
	} {
		if err == nil {
			err = step()
		}
	}
	return err
}
