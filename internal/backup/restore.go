package backup

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"frontdesk/internal/disk"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
)

// Errors of Restore, beside those of records.Restore.
var (
	// ErrNotPostgres is the error of a backup of SQLite that is restored to PostgreSQL.
	ErrNotPostgres = errors.New("holds a database of SQLite, and the records are in PostgreSQL")
	// ErrOtherKey is the error of a data folder that has another signing key.
	ErrOtherKey = errors.New("the data folder has another signing key")
)

// Restored reports what Restore did.
type Restored struct {
	Records     records.Restored // to SQLite
	Imported    records.Imported // to PostgreSQL
	ReplacedKey string           // the new name of the data folder's other key; empty without one
	Content     bool             // content was written; a folder that has content is left as it is
}

// Restore reads and checks a backup as a whole, and then puts it in place: records as
// records.Restore does, or those of PostgreSQL by adding them; key, mails and images in the
// data folder; content in its folder if that is missing or empty. Without replace it refuses an
// existing database (fs.ErrExist) and another key (ErrOtherKey); with replace, both are kept
// under another name.
func Restore(ctx context.Context, r io.Reader, to Service, replace bool) (done Restored, err error) {
	work, remove, err := to.workFolder()
	if err != nil {
		return done, err
	}
	defer remove()
	if err := unpack(r, work); err != nil {
		return done, err
	}
	key := filepath.Join(to.Records.Dir, signing.KeyFile)
	other, err := differs(filepath.Join(work, signing.KeyFile), key)
	if err != nil {
		return done, err
	}
	if other && !replace {
		return done, ErrOtherKey
	}
	if to.Records.URL != "" {
		done.Imported, err = importTo(ctx, to.Records, work)
	} else {
		done.Records, err = restoreDatabase(ctx, to.Records.Dir, work, replace)
	}
	if err != nil {
		return done, err
	}
	if other {
		done.ReplacedKey = key + ".replaced-" + time.Now().UTC().Format(stamp)
		if err := os.Rename(key, done.ReplacedKey); err != nil {
			return done, err
		}
	}
	for _, name := range kept {
		if err := place(filepath.Join(work, name), filepath.Join(to.Records.Dir, name)); err != nil {
			return done, err
		}
	}
	if done.Content, err = restoreContent(filepath.Join(work, contentName), to.Content); err != nil {
		err = fmt.Errorf("all but the content is restored: %w", err)
	}
	return done, errors.Join(err, disk.SyncDir(to.Records.Dir))
}

// restoreDatabase restores the database in the folder work, which it makes from the export if
// the backup holds one.
func restoreDatabase(ctx context.Context, dir, work string, replace bool) (records.Restored, error) {
	at := records.Options{Dir: work}
	if _, err := os.Stat(filepath.Join(work, exportName)); err == nil {
		if _, err := importTo(ctx, at, work); err != nil {
			return records.Restored{}, err
		}
	}
	return records.Restore(ctx, dir, filepath.Join(work, records.FileName), replace)
}

// importTo adds the records of the export in the folder work to a database.
func importTo(ctx context.Context, to records.Options, work string) (done records.Imported, err error) {
	file, err := os.Open(filepath.Join(work, exportName))
	if errors.Is(err, fs.ErrNotExist) {
		return done, ErrNotPostgres
	}
	if err != nil {
		return done, err
	}
	defer file.Close()
	store, err := records.Open(ctx, to)
	if err != nil {
		return done, err
	}
	done, err = store.Import(ctx, file)
	return done, errors.Join(err, store.Close())
}

// unpack writes the files of a backup to a folder. It fails with records.ErrNoBackup on
// another archive, and on one that is damaged or cut off.
func unpack(r io.Reader, dir string) error {
	err := unpackFiles(r, dir)
	if _, ours := errors.AsType[*fs.PathError](err); err != nil && !ours {
		err = fmt.Errorf("%w, or it is damaged (%w)", records.ErrNoBackup, err)
	}
	return err
}

func unpackFiles(r io.Reader, dir string) error {
	compressed, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	archive := tar.NewReader(compressed)
	for first := true; ; first = false {
		header, err := archive.Next()
		if err == io.EOF && !first {
			_, err = io.Copy(io.Discard, compressed) // reads the checksum
			return err
		}
		if err != nil {
			return err
		}
		top, _, _ := strings.Cut(header.Name, "/")
		known := slices.Contains(kept, top) || top == contentName
		if first { // the records
			known = header.Name == records.FileName || header.Name == exportName
		}
		if !known || header.Typeflag != tar.TypeReg {
			return fmt.Errorf("it has an unknown file %q", header.Name)
		}
		if err := unpackFile(root, header.Name, archive); err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, name string, from io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Sync(), file.Close())
}

// differs reports whether both files exist with different content.
func differs(a, b string) (bool, error) {
	first, err := os.ReadFile(a)
	second, failed := os.ReadFile(b)
	err = cmp.Or(err, failed)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return !bytes.Equal(first, second), err
}

// place moves files of a backup to their folder, whose owner they get. Existing files stay: a
// mail or an image of the same name is the same.
func place(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // the backup has none
			return nil
		}
		target := to + strings.TrimPrefix(path, from)
		if _, failed := os.Lstat(target); err != nil || failed == nil {
			return err
		}
		if entry.IsDir() {
			return errors.Join(os.Mkdir(target, 0o700), records.AdoptOwner(target, filepath.Dir(target)))
		}
		return errors.Join(records.AdoptOwner(path, filepath.Dir(target)), os.Rename(path, target))
	})
}

// restoreContent copies content to a folder that is missing or empty.
func restoreContent(from, to string) (done bool, err error) {
	if _, err := os.Stat(from); err != nil || to == "" {
		return false, nil
	}
	switch there, err := os.ReadDir(to); {
	case len(there) > 0:
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	return true, os.CopyFS(to, os.DirFS(from))
}
