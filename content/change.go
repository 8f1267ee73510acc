package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest" // its MapFS lists folders
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/text/language"

	"frontdesk/internal/disk"
)

// Change is a list of edits to a content folder that are not applied yet. As an fs.FS it shows
// the folder with the edits, so that they can be checked first. A method that fails leaves the
// change as it was.
type Change struct {
	// Summary describes the change in one line, for the history.
	Summary string
	// Undoes is the number of the change that it reverses; 0 for none.
	Undoes int64
	Settled

	folder fs.FS
	edits  []*edit // in the order in which their files were edited first
}

// edit is a change of one file. before is nil for a new file, after for a removed one.
type edit struct {
	name          string
	before, after []byte
}

// NewChange returns a change of a folder, without an edit.
func NewChange(folder fs.FS) *Change { return &Change{folder: folder} }

// Between returns the change from before to after. It can be shown, but not applied.
func Between(before, after *Content) *Change {
	change := &Change{}
	all := maps.Clone(before.files)
	maps.Copy(all, after.files)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if e := (&edit{name, before.files[name], after.files[name]}); !e.isSame() {
			change.edits = append(change.edits, e)
		}
	}
	return change
}

// Files are the names of the files that the change changes.
func (c *Change) Files() (names []string) {
	for _, e := range c.edits {
		names = append(names, e.name)
	}
	return names
}

var (
	// ErrChanged reports that a file was changed after the Change of it was prepared.
	ErrChanged = errors.New("the file was changed meanwhile; try again")
	// ErrNotEditable reports a file outside pages and assets.
	ErrNotEditable = errors.New("is not a file of " + PagesFolder + " or " + AssetsFolder)
)

func (c *Change) edited(name string) *edit {
	if at := slices.IndexFunc(c.edits, func(e *edit) bool { return e.name == name }); at >= 0 {
		return c.edits[at]
	}
	return nil
}

// replace sets the text of a file; nil removes the file. If the text is the old one, there is no edit.
func (c *Change) replace(name string, after []byte) error {
	e := c.edited(name)
	if e == nil {
		before, err := fs.ReadFile(c.folder, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		e = &edit{name: name, before: before}
		c.edits = append(c.edits, e)
	}
	e.after = after
	c.edits = slices.DeleteFunc(c.edits, (*edit).isSame)
	return nil
}

// Write writes a file in pages or assets, which need not exist.
func (c *Change) Write(name string, data []byte) error {
	if err := checkEditable(name); err != nil {
		return err
	}
	return c.replace(name, append([]byte{}, data...))
}

// Remove removes a file in pages or assets.
func (c *Change) Remove(name string) error {
	if err := checkEditable(name); err != nil {
		return err
	}
	if _, err := fs.Stat(c, name); err != nil {
		return err
	}
	return c.replace(name, nil)
}

// checkEditable fails with ErrNotEditable for a name outside of pages and assets.
func checkEditable(name string) error {
	folder := path.Dir(name)
	if _, err := language.Parse(path.Base(folder)); err == nil && path.Dir(folder) == PagesFolder {
		folder = PagesFolder
	}
	if !fs.ValidPath(name) || !slices.Contains(Folders, folder) || IsIgnored(path.Base(name)) ||
		strings.ContainsAny(name, "\\\r\n\x00") {
		return fmt.Errorf("%q %w", name, ErrNotEditable)
	}
	return nil
}

// IsEmpty reports whether every file stays as it is.
func (c *Change) IsEmpty() bool { return len(c.edits) == 0 }

func (e *edit) isSame() bool {
	return (e.before == nil) == (e.after == nil) && bytes.Equal(e.before, e.after)
}

// Open implements fs.FS.
func (c *Change) Open(name string) (fs.File, error) {
	if c.edited(name) == nil {
		if file, err := c.folder.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return c.made().Open(name)
}

// made are the files that the change makes, in their folders.
func (c *Change) made() fstest.MapFS {
	made := fstest.MapFS{}
	for _, e := range c.edits {
		if e.after != nil {
			made[e.name] = &fstest.MapFile{Data: e.after, Mode: newFileMode}
		}
	}
	return made
}

// ReadDir implements fs.ReadDirFS: it lists the files as they would be.
func (c *Change) ReadDir(folder string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(c.folder, folder)
	made, errMade := c.made().ReadDir(folder)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || errMade != nil) {
		return nil, err
	}
	entries = append(made, slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		return c.edited(path.Join(folder, entry.Name())) != nil
	})...)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	// a folder may be in both
	return slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

// Modes of what a change makes.
const (
	newFileMode   fs.FileMode = 0o644
	newFolderMode fs.FileMode = 0o755
)

// lockFile is the file of a content folder that Apply locks. It is hidden: not read as
// content.
const lockFile = ".frontdesk.lock"

// How long, and how often, Apply asks for the lock of a folder. It is held while one
// change is written.
const (
	lockPatience = 10 * time.Second
	lockPause    = 10 * time.Millisecond
)

// Apply writes the edits to the files in dir. It replaces each file atomically and keeps symbolic
// links. It fails with ErrChanged, and changes nothing, if a file differs from the one that the
// change was made from. From that comparison to the last rename it holds a lock across processes,
// so that two changes cannot overwrite each other.
func (c *Change) Apply(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(newFileMode))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	defer lock.Close()
	var steps []func() error
	for _, e := range c.edits {
		file, mode, err := e.target(dir)
		if err != nil {
			return err
		}
		step := func() error { return os.Remove(file) }
		if e.after != nil {
			if err := os.MkdirAll(filepath.Dir(file), newFolderMode); err != nil {
				return err
			}
			temporary, err := disk.Stage(file, mode, disk.Bytes(e.after))
			defer os.Remove(temporary) // after the renaming there is none
			if err != nil {
				return err
			}
			step = func() error { return os.Rename(temporary, file) }
		}
		steps = append(steps, func() error { return errors.Join(step(), disk.SyncDir(filepath.Dir(file))) })
	}
	// An editor that does not know the lock may have written while the texts were stored.
	for _, e := range c.edits {
		if _, _, err := e.target(dir); err != nil {
			return err
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// target returns the path of the file to replace, with symbolic links resolved, and its mode. It
// fails with ErrChanged if the file differs from the one that the change was made from.
func (e *edit) target(dir string) (file string, mode fs.FileMode, err error) {
	file = filepath.Join(dir, filepath.FromSlash(e.name))
	now, err := os.ReadFile(file)
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !isMissing:
		return "", 0, err
	case isMissing != (e.before == nil) || !bytes.Equal(now, e.before):
		return "", 0, fmt.Errorf("%s: %w", e.name, ErrChanged)
	case isMissing || e.after == nil: // remove the link, not its target
		return file, newFileMode, nil
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return "", 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", 0, err
	}
	return file, info.Mode().Perm(), nil
}
