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
	"runtime"
	"time"

	"modernc.org/sqlite" // and the driver named "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"frontdesk/internal/disk"
)

// sqliteDialect needs no turns: with _txlock every transaction that writes takes the write
// lock of the whole file at its start.
//
// A vacuum returns at most 8 MB, so that no write waits long for it. The write-ahead log still
// holds the deleted rows, so it is emptied too, unless a reader is using it.
var sqliteDialect = dialect{
	name:   "sqlite",
	vacuum: []string{`PRAGMA incremental_vacuum(2000)`, `PRAGMA wal_checkpoint(TRUNCATE)`},
}

func openSQLite(ctx context.Context, options Options) (*Store, error) {
	path := options.path()
	if options.MustExist {
		if err := mustExist(options.Dir, path); err != nil {
			return nil, err
		}
	}
	if err := prepare(options.Dir, path); err != nil {
		return nil, err
	}
	if err := untilUnlocked(ctx, func() error { return createSQLite(path) }); err != nil {
		return nil, err
	}
	// SQLite would wait for a lock whatever the context of a call says, so transact waits for it.
	db, err := connectSQLite(path, 0)
	if err != nil {
		return nil, err
	}
	// Writers of one program queue for the one connection; otherwise they would poll for the lock.
	db.SetMaxOpenConns(1)
	reads, err := connectSQLite(path, CallTimeout, "query_only(ON)")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	reads.SetMaxOpenConns(maxReaders)
	s := &Store{db: db, reads: reads, dialect: sqliteDialect}
	// the first connection turns the write-ahead log on
	err = untilUnlocked(ctx, func() error { return db.PingContext(ctx) })
	if err == nil {
		s.present, err = watchFiles(path)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// watchFiles returns a function that fails with ErrDatabaseGone once another file, or none, is
// at path. SQLite does not notice a deleted file and goes on writing to it.
func watchFiles(path string) (present func() error, err error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return func() error {
		now, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrDatabaseGone, err)
		}
		if !os.SameFile(opened, now) {
			return ErrDatabaseGone
		}
		if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) { // exists from the first write on
			return fmt.Errorf("%w (%w)", ErrDatabaseGone, err)
		}
		return nil
	}, nil
}

// lockWait is how long a program waits for another program's lock.
const lockWait = 5 * time.Second

// untilUnlocked repeats do until ctx ends, at most for lockWait, while another program's lock
// refuses it.
func untilUnlocked(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		err := do()
		if !isBusy(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// isBusy reports whether another program's lock refused a statement
// (https://sqlite.org/rescode.html#busy).
func isBusy(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	return ok && failure.Code()&0xff == sqlite3.SQLITE_BUSY
}

// createSQLite makes an empty file a database whose free pages can be returned. That can only
// be set before the first table; set on every connection, it would take the write lock each
// time.
func createSQLite(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 {
		return err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.Exec(fmt.Sprintf(`PRAGMA busy_timeout = %d; PRAGMA auto_vacuum = INCREMENTAL; VACUUM`,
		lockWait.Milliseconds()))
	return errors.Join(err, db.Close())
}

// maxReaders bounds the connections that read.
const maxReaders = 4

// connectSQLite opens a database whose statements wait for the lock of another program. With a
// write-ahead log a reader never blocks a writer, and synchronous FULL syncs that log at every
// commit (https://sqlite.org/pragma.html#pragma_synchronous). Transactions take the write
// lock at their start, because one that reads first cannot wait for it later.
func connectSQLite(path string, wait time.Duration, pragmas ...string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(absolute)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter: file:///C:/…
	}
	options := url.Values{
		"_pragma": append([]string{fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)",
			"synchronous(FULL)", "foreign_keys(ON)", "secure_delete(ON)"}, pragmas...),
		"_txlock": {"immediate"},
	}
	source := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	return sql.Open("sqlite", source.String())
}

// withSQLite calls do with a database on one connection.
func withSQLite(path string, do func(db *sql.DB) error) error {
	db, err := connectSQLite(path, lockWait)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	return errors.Join(do(db), db.Close())
}

func mustExist(dir, path string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w at %s (frontdesk serve creates one; --data names another folder)", ErrNoDatabase, dir)
	}
	return err
}

// prepare creates an empty file that only its owner can read. SQLite gives its
// mode to the files beside it; by itself it would create one that everyone can read.
func prepare(dir, path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = removeOtherPermissions(path, path+"-wal", path+"-shm")
	}
	if err == nil {
		err = disk.SyncDir(dir)
	}
	return err
}

// removeOtherPermissions removes the permissions of other users from the files of a database,
// which hold personal data. Those of the group stay.
func removeOtherPermissions(paths ...string) error {
	const others = 0o007
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); mode&others != 0 && runtime.GOOS != "windows" {
			if err := os.Chmod(path, mode&^others); err != nil {
				return fmt.Errorf("every user of this machine can open it: %w", err)
			}
		}
	}
	return nil
}
