package records

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"frontdesk/internal/durable"
)

// Errors of Restore. A database that is in the way is fs.ErrExist.
var (
	ErrDatabaseInUse = errors.New("a program has the database open")
	ErrNoBackup      = errors.New("is no backup of frontdesk")
	ErrIsExport      = errors.New("is an export, not a backup")
	ErrIsDump        = errors.New("is a dump of PostgreSQL")
)

// Restored reports what Restore put in place.
type Restored struct {
	Path     string // of the database
	Replaced string // where the database that was there is now; empty if there was none
	Schema   int    // version of the schema
	// Counts are the rows of each kind.
	Inquiries, Pending, Feedback, Questions, Workspaces int64
	// Newest is when the newest of them was stored; zero when there is none.
	Newest time.Time
}

// Restore checks a backup and puts it in place of the SQLite database of a data folder.
// The backup is copied first, and the copy is checked: every page is read, and its schema
// must be known. At every moment the folder holds the old database or the new one, and
// the new one only once it is on the disk.
//
// A database that is already there is refused with fs.ErrExist; with replace it is kept
// under another name, unless a program has it open: the error is then ErrDatabaseInUse.
func Restore(ctx context.Context, dir, file string, replace bool) (Restored, error) {
	restored, err := restore(ctx, dir, file, replace)
	return restored, wrap(err, "restore")
}

func restore(ctx context.Context, dir, file string, replace bool) (restored Restored, err error) {
	path := filepath.Join(dir, FileName)
	_, err = os.Lstat(path)
	present := err == nil
	switch {
	case present && !replace:
		return Restored{}, fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Restored{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Restored{}, err
	}
	work, err := os.MkdirTemp(dir, ".restore-*")
	if err != nil {
		return Restored{}, err
	}
	defer os.RemoveAll(work)
	part := filepath.Join(work, FileName)
	if err := copyBackup(file, part); err != nil {
		return Restored{}, err
	}
	if restored, err = inspect(ctx, part); err != nil {
		return Restored{}, fmt.Errorf("%s: %w", file, err)
	}
	restored.Path = path
	if err := errors.Join(adoptOwner(part, dir), syncFile(part)); err != nil {
		return Restored{}, err
	}
	if present {
		if restored.Replaced, err = setAside(ctx, path); err != nil {
			return Restored{}, err
		}
	}
	if err := os.Rename(part, path); err != nil {
		return Restored{}, err
	}
	return restored, durable.SyncDir(dir)
}

// Beginnings of the files that are given to Restore.
var (
	sqliteMagic   = []byte("SQLite format 3\x00")
	exportMagic   = []byte(`{"type":"export"`)
	postgresMagic = []byte("PGDMP")
)

// copyBackup copies a file that begins as an SQLite database does, and the write-ahead
// log beside it, which belongs to the copy of a live database.
func copyBackup(file, part string) error {
	if info, err := os.Stat(file); err != nil {
		return err
	} else if !info.Mode().IsRegular() { // reading a pipe might never end
		return fmt.Errorf("%s %w", file, ErrNoBackup)
	}
	source, err := os.Open(file)
	if err != nil {
		return err
	}
	defer source.Close()
	head := make([]byte, len(sqliteMagic))
	n, err := io.ReadFull(source, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, exportMagic):
		return fmt.Errorf("%s %w", file, ErrIsExport)
	case bytes.HasPrefix(head, postgresMagic):
		return fmt.Errorf("%s %w", file, ErrIsDump)
	case !bytes.Equal(head, sqliteMagic):
		return fmt.Errorf("%s %w", file, ErrNoBackup)
	}
	if err := copyFile(file, part); err != nil {
		return err
	}
	if err := copyFile(file+"-wal", part+"-wal"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// copyFile copies a file into a new one that only its owner can read.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// inspect reads every page of a database, counts its rows and leaves it as one file.
func inspect(ctx context.Context, path string) (found Restored, err error) {
	db, err := connectSQLite(path)
	if err != nil {
		return Restored{}, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return Restored{}, fmt.Errorf("is damaged: %w", err)
	}
	if verdict != "ok" {
		return Restored{}, fmt.Errorf("is damaged: %s", verdict)
	}
	if found.Schema, err = version(ctx, db); err != nil {
		return Restored{}, fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	steps, err := schema(sqliteDialect.name)
	if err != nil {
		return Restored{}, err
	}
	if found.Schema > len(steps) {
		return Restored{}, &SchemaError{Found: found.Schema, Known: len(steps)}
	}
	if err := sameSchema(ctx, db, path+".schema", steps[:found.Schema]); err != nil {
		return Restored{}, err
	}
	if err := count(ctx, db, &found); err != nil {
		return Restored{}, err
	}
	return found, singleFile(ctx, db)
}

// sameSchema fails with ErrNoBackup when a database lacks a table or an index that the steps
// make, or has a trigger or a view that they do not make. It makes a database to compare.
func sameSchema(ctx context.Context, db *sql.DB, scratch string, steps []string) (err error) {
	made, err := connectSQLite(scratch)
	if err != nil {
		return err
	}
	made.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, made.Close()) }()
	if _, err := advance(ctx, made, steps, false); err != nil {
		return err
	}
	found, err := schemaObjects(ctx, db)
	if err != nil {
		return err
	}
	want, err := schemaObjects(ctx, made)
	if err != nil {
		return err
	}
	for object := range want {
		if !found[object] {
			return fmt.Errorf("%w: it has no %s", ErrNoBackup, object)
		}
	}
	for object := range found {
		if !want[object] && (strings.HasPrefix(object, "trigger ") || strings.HasPrefix(object, "view ")) {
			return fmt.Errorf("%w: it has a foreign %s", ErrNoBackup, object)
		}
	}
	return nil
}

// schemaObjects returns the tables, indexes, triggers and views of a database, such as
// "table inquiries".
func schemaObjects(ctx context.Context, db *sql.DB) (objects map[string]bool, err error) {
	rows, err := db.QueryContext(ctx, `SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	objects = map[string]bool{}
	for rows.Next() {
		var object string
		if err := rows.Scan(&object); err != nil {
			return nil, err
		}
		objects[object] = true
	}
	return objects, rows.Err()
}

// count counts the rows. A schema of an earlier version may not have every table.
func count(ctx context.Context, db *sql.DB, found *Restored) error {
	for table, rows := range map[string]*int64{
		"inquiries": &found.Inquiries, "feedback": &found.Feedback, "questions": &found.Questions, "workspaces": &found.Workspaces,
	} {
		var exists bool
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1)`, table).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			continue
		}
		var newest sql.NullInt64
		if err := db.QueryRowContext(ctx, `SELECT COUNT(*), MAX(created_at) FROM `+table).Scan(rows, &newest); err != nil {
			return err
		}
		if at := time.UnixMicro(newest.Int64).UTC(); newest.Valid && at.After(found.Newest) {
			found.Newest = at
		}
	}
	return db.QueryRowContext(ctx, `SELECT COUNT(*) FROM inquiries WHERE state = 'pending'`).Scan(&found.Pending)
}

// singleFile writes the write-ahead log into the database and removes it, which needs
// the database for itself.
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

// setAside gives the database of a data folder a second name and returns it; the first
// one is free to be replaced. A database that cannot be read keeps its write-ahead log
// under the second name.
func setAside(ctx context.Context, path string) (aside string, err error) {
	db, err := connectSQLite(path)
	if err != nil {
		return "", err
	}
	db.SetMaxOpenConns(1)
	err = errors.Join(singleFile(ctx, db), db.Close())
	if isBusy(err) {
		return "", ErrDatabaseInUse
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	aside = path + ".replaced-" + time.Now().UTC().Format("20060102T150405.000000Z")
	for _, suffix := range []string{"-wal", "-shm"} { // of one that cannot be read
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return aside, os.Rename(path, aside) // a file system without links
}
