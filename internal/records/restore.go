package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"frontdesk/internal/disk"
)

// Backup copies the SQLite database of a data folder, as of one moment, into a new file
// (https://sqlite.org/lang_vacuum.html#vacuuminto). Everything that was confirmed before the
// call is in it, even if other programs are writing. The file is only as private as its folder.
func Backup(ctx context.Context, dir, file string) error {
	path := filepath.Join(dir, FileName)
	err := mustExist(dir, path)
	if err == nil {
		err = withSQLite(path, func(db *sql.DB) error {
			if _, err := version(ctx, db); err != nil {
				return fmt.Errorf("%s is not a frontdesk database: %w", path, err)
			}
			_, err := db.ExecContext(ctx, `VACUUM INTO $1`, file)
			return err
		})
	}
	return wrap(err, "backup")
}

// Errors of Restore. An existing database is fs.ErrExist.
var (
	ErrDatabaseInUse = errors.New("a program has the database open")
	ErrNoBackup      = errors.New("is not a frontdesk backup")
)

// Restored describes a restored database.
type Restored struct {
	Path     string // path of the database
	Replaced string // new path of the database that was there; empty if there was none
	// Inquiries and the others are numbers of rows.
	Inquiries, Pending, Feedback, Questions, Workspaces int64
	// Newest is when the newest row was stored; zero when there is none.
	Newest time.Time
}

// Restore checks the database part of a backup and moves it in place of the SQLite database of
// the data folder dir. part must be on the same file system and already synced. The check reads
// every page, and the schema must be known. At every moment the folder holds the old database
// or the new one.
//
// Restore refuses an existing database with fs.ErrExist. With replace it keeps it under another
// name, or returns ErrDatabaseInUse if a program has it open.
func Restore(ctx context.Context, dir, part string, replace bool) (restored Restored, err error) {
	defer func() { err = wrap(err, "restore") }()
	restored.Path = filepath.Join(dir, FileName)
	_, err = os.Lstat(restored.Path)
	present := err == nil
	switch {
	case present && !replace:
		return Restored{}, fmt.Errorf("%s: %w", restored.Path, fs.ErrExist)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Restored{}, err
	}
	err = withSQLite(part, func(db *sql.DB) error { return inspect(ctx, db, part, &restored) })
	if err == nil {
		err = AdoptOwner(part, dir)
	}
	if err == nil && present {
		restored.Replaced, err = setAside(ctx, restored.Path)
	}
	if err == nil {
		err = os.Rename(part, restored.Path)
	}
	if err == nil {
		err = disk.SyncDir(dir)
	}
	return restored, err
}

// inspect reads every page of a database, counts its rows and leaves it as one file.
func inspect(ctx context.Context, db *sql.DB, path string, found *Restored) error {
	var verdict string
	err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = errors.New(verdict)
	}
	if err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	applied, err := version(ctx, db)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	steps := schema(sqliteDialect.name)
	if applied > len(steps) {
		return &SchemaError{Found: applied, Known: len(steps)}
	}
	if err := sameSchema(ctx, path, steps[:applied]); err != nil {
		return err
	}
	if err := count(ctx, db, found); err != nil {
		return err
	}
	return singleFile(ctx, db)
}

// sameSchema returns ErrNoBackup if the database at path lacks a table or an index of the steps,
// or has a trigger or a view that they do not create. Other tables are allowed: tools such as
// Litestream add theirs.
func sameSchema(ctx context.Context, path string, steps []string) error {
	return withSQLite(path+".schema", func(made *sql.DB) error {
		if _, err := advance(ctx, made, steps, false); err != nil {
			return err
		}
		if _, err := made.ExecContext(ctx, `ATTACH $1 AS found`, path); err != nil {
			return err
		}
		differences, err := texts(ctx, made, `
			SELECT 'no ' || type || ' ' || name FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'
				AND (type, name) NOT IN (SELECT type, name FROM found.sqlite_schema)
			UNION ALL SELECT 'a foreign ' || type || ' ' || name FROM found.sqlite_schema WHERE type IN ('trigger', 'view')
				AND (type, name) NOT IN (SELECT type, name FROM main.sqlite_schema)`)
		if err == nil && len(differences) > 0 {
			err = fmt.Errorf("%w: it has %s", ErrNoBackup, differences[0])
		}
		return err
	})
}

// count counts the rows.
func count(ctx context.Context, db *sql.DB, found *Restored) error {
	return db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM inquiries),
		(SELECT COUNT(*) FROM inquiries WHERE state = 'pending'), (SELECT COUNT(*) FROM feedback),
		(SELECT COUNT(*) FROM questions), (SELECT COUNT(*) FROM workspaces), (SELECT MAX(created_at) FROM (
			SELECT created_at FROM inquiries UNION ALL SELECT created_at FROM feedback
			UNION ALL SELECT created_at FROM questions UNION ALL SELECT created_at FROM workspaces))`).Scan(
		&found.Inquiries, &found.Pending, &found.Feedback, &found.Questions, &found.Workspaces, micros(&found.Newest))
}

// singleFile writes the write-ahead log into the database and removes it. No other program may
// have the database open.
func singleFile(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode); err != nil {
		return err
	}
	if mode != "delete" {
		return fmt.Errorf("its write-ahead log cannot be removed: it stays in the mode %q", mode)
	}
	return nil
}

// setAside gives the database of a data folder a second name and returns it, so that the file
// under the first name can be replaced. A database that cannot be read keeps its write-ahead log.
func setAside(ctx context.Context, path string) (aside string, err error) {
	if isBusy(withSQLite(path, func(db *sql.DB) error { return singleFile(ctx, db) })) {
		return "", ErrDatabaseInUse
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	aside = path + ".replaced-" + time.Now().UTC().Format("20060102T150405.000000Z")
	for _, suffix := range []string{"-wal", "-shm"} { // exist if the database cannot be read
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return aside, os.Rename(path, aside) // a file system without links
}
