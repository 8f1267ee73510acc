package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup copies the SQLite database of a data folder into a new file that only its owner
// can read. Everything that was confirmed before the call is in it; other programs may
// write meanwhile. It replaces no file: the error is then fs.ErrExist.
func Backup(ctx context.Context, dir, file string) error {
	return wrap(backup(ctx, filepath.Join(dir, FileName), file), "backup")
}

func backup(ctx context.Context, path, file string) error {
	if err := mustExist(filepath.Dir(path), path); err != nil {
		return err
	}
	target, err := filepath.Abs(file) // SQLite would take a name like file:x for an address
	if err != nil {
		return err
	}
	part, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(part.Close(), copyTo(ctx, path, target)); err != nil {
		_ = os.Remove(target) // it is of no use
	}
	return err
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
