package records

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver named "sqlite"

	"frontdesk/durable"
)

// Options say where the records are.
type Options struct {
	Dir string // the data folder; made with mode 0700 when missing
}

// FileName is the name of the database in the data folder.
const FileName = "frontdesk.db"

// Store is the open database. Its methods may be called by many at once.
type Store struct {
	db *sql.DB
}

// Open opens the database, makes it when missing, and brings it up to date.
func Open(ctx context.Context, options Options) (*Store, error) {
	path := filepath.Join(options.Dir, FileName)
	db, err := open(ctx, options.Dir, path)
	if err != nil {
		return nil, fmt.Errorf("records: open %s: %w", path, err)
	}
	return &Store{db: db}, nil
}

func open(ctx context.Context, dir, path string) (*sql.DB, error) {
	if err := prepare(dir, path); err != nil {
		return nil, err
	}
	steps, err := schema()
	if err != nil {
		return nil, err
	}
	source, err := dataSource(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	// Writers of one program queue in front of the one connection, in order;
	// left to SQLite they would poll for its lock.
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db, steps); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// prepare makes the folder and an empty file that its owner alone can read: SQLite
// would make one that everybody can, and gives its mode to the files beside it.
func prepare(dir, path string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

// dataSource is the address of the file for the driver. With a write-ahead log a
// reader never blocks a writer, and synchronous FULL syncs that log at every commit
// (https://sqlite.org/pragma.html#pragma_synchronous). Transactions take the write
// lock at their start, because one that reads first cannot wait for it later.
func dataSource(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slashed := filepath.ToSlash(absolute)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter: file:///C:/…
	}
	options := url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}).String(), nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := version(ctx, s.db); err != nil {
		return fmt.Errorf("records: ping: %w", err)
	}
	return nil
}

// Close closes the database. Every later call returns an error.
func (s *Store) Close() error { return s.db.Close() }
