package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Options say where the records are.
type Options struct {
	Dir string // the data folder; made with mode 0700 when missing
	URL string // postgres://…; empty means the SQLite file in Dir

	// MustExist refuses a data folder without a database: whoever only reads would
	// take the new, empty one for an answer.
	MustExist bool
}

// FileName is the name of the database in the data folder.
const FileName = "frontdesk.db"

// path is the SQLite file.
func (o Options) path() string { return filepath.Join(o.Dir, FileName) }

// String names the database without anything secret: the path of the file, or the
// address without its password.
func (o Options) String() string {
	if o.URL == "" {
		return o.path()
	}
	return publicURL(o.URL)
}

// callTimeout bounds a call of the service that brings no time of its own, so that
// a database that hangs is an error to whoever waits for it.
const callTimeout = 2 * time.Second

// Store is the open database. Its methods may be called by many at once.
type Store struct {
	db      *sql.DB
	reads   *sql.DB // for what changes nothing, which so need not queue behind writers
	dialect dialect
}

// dialect is what the statements cannot have in common. A lock is a statement that
// a transaction begins with; it is empty where transactions that write take turns
// anyway.
type dialect struct {
	lockSchema    string // one program at a time changes the schema
	lockQuestions string // one transaction at a time numbers questions
	// snapshot is a transaction that reads all tables as they are at one moment.
	snapshot sql.TxOptions
}

// Open opens the database, makes the SQLite file when missing, and brings the
// tables up to date. Its errors hold no password.
func Open(ctx context.Context, options Options) (*Store, error) {
	store, err := open(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("records: open %s: %w", options, err)
	}
	return store, nil
}

func open(ctx context.Context, options Options) (*Store, error) {
	steps, err := schema()
	if err != nil {
		return nil, err
	}
	connect := openSQLite
	if options.URL != "" {
		connect = openPostgres
	}
	store, err := connect(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := store.migrate(ctx, steps); err != nil {
		_ = store.Close()
		return nil, err
	}
	return store, nil
}

// change runs a transaction that begins with a lock, or with none when that is empty.
// It is taken back when do fails.
func (s *Store) change(ctx context.Context, lock string, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it has nothing to do
	if lock != "" {
		if _, err := tx.ExecContext(ctx, lock); err != nil {
			return err
		}
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := version(ctx, s.db); err != nil {
		return fmt.Errorf("records: ping: %w", err)
	}
	return nil
}

// Close closes the database. Every later call returns an error.
func (s *Store) Close() error { return errors.Join(s.reads.Close(), s.db.Close()) }
