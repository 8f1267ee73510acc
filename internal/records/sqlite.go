package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver named "sqlite"

	"frontdesk/internal/durable"
)

// sqliteDialect has no locks: with _txlock every transaction that writes takes the
// write lock of the whole file at its start.
var sqliteDialect = dialect{snapshot: sql.TxOptions{ReadOnly: true}}

func openSQLite(_ context.Context, options Options) (*Store, error) {
	path := options.path()
	if options.MustExist {
		if err := mustExist(path); err != nil {
			return nil, err
		}
	}
	if err := prepare(options.Dir, path); err != nil {
		return nil, err
	}
	db, err := connectSQLite(path)
	if err != nil {
		return nil, err
	}
	// Writers of one program queue in front of the one connection, in order;
	// left to SQLite they would poll for its lock.
	db.SetMaxOpenConns(1)
	reads, err := connectSQLite(path, "query_only(ON)")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	reads.SetMaxOpenConns(maxReaders)
	return &Store{db: db, reads: reads, dialect: sqliteDialect}, nil
}

// maxReaders bounds the connections that read. Each is made when it is first needed.
const maxReaders = 4

func connectSQLite(path string, pragmas ...string) (*sql.DB, error) {
	source, err := dataSource(path, pragmas...)
	if err != nil {
		return nil, err
	}
	return sql.Open("sqlite", source)
}

func mustExist(path string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database yet: frontdesk serve makes it: %w", err)
	}
	return err
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
func dataSource(path string, pragmas ...string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slashed := filepath.ToSlash(absolute)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter: file:///C:/…
	}
	options := url.Values{
		"_pragma": append([]string{"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"}, pragmas...),
		"_txlock": {"immediate"},
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}).String(), nil
}
