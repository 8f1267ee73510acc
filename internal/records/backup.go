package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/internal/durable"
)

// Backup copies the SQLite database of a data folder into a new file that only its owner
// can read. Everything that was confirmed before the call is in it; other programs may
// write meanwhile. The file appears when it is whole and on the disk. Backup replaces no
// file: the error is then fs.ErrExist.
func Backup(ctx context.Context, dir, file string) error {
	return wrap(backup(ctx, filepath.Join(dir, FileName), file), "backup")
}

func backup(ctx context.Context, path, file string) error {
	if err := mustExist(filepath.Dir(path), path); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: %w", file, fs.ErrExist)
	}
	target, err := filepath.Abs(file) // SQLite would take a name like file:x for an address
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // it has its final name by then, or is of no use
	defer part.Close()
	if err := copyTo(ctx, path, part.Name()); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	return appear(part.Name(), target)
}

// copyTo writes a copy as of one moment into an empty file
// (https://sqlite.org/lang_vacuum.html#vacuuminto).
func copyTo(ctx context.Context, path, part string) error {
	return withSQLite(path, func(db *sql.DB) error {
		if _, err := version(ctx, db); err != nil {
			return fmt.Errorf("%s is no database of frontdesk: %w", path, err)
		}
		_, err := db.ExecContext(ctx, `VACUUM INTO $1`, part)
		return err
	})
}

// appear gives the finished file its name. A link, unlike a rename, does not replace a file
// that was created meanwhile; on file systems without links only the earlier check
// protects it.
func appear(part, target string) error {
	err := os.Link(part, target)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(part, target)
	}
	if err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(target))
}
