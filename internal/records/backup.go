package records

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
)

// Backup copies the SQLite database of a data folder, as of one moment, into a new file
// (https://sqlite.org/lang_vacuum.html#vacuuminto). Everything that was confirmed before
// the call is in it; other programs may write meanwhile. The file is only as
// private as its folder.
func Backup(ctx context.Context, dir, file string) error {
	path := filepath.Join(dir, FileName)
	err := mustExist(dir, path)
	if err == nil {
		err = withSQLite(path, func(db *sql.DB) error {
			if _, err := version(ctx, db); err != nil {
				return fmt.Errorf("%s is no database of frontdesk: %w", path, err)
			}
			_, err := db.ExecContext(ctx, `VACUUM INTO $1`, file)
			return err
		})
	}
	return wrap(err, "backup")
}
