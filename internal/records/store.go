package records

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Options say where the records are.
type Options struct {
	Dir string // the data folder; made with mode 0700 when missing
	URL string // postgres://…; empty means the SQLite file in Dir

	// MustExist refuses a data folder without a database with ErrNoDatabase: a command
	// that only reads must not make an empty one.
	MustExist bool

	// KeepSchema refuses a database whose schema belongs to another version of the
	// program, with a *SchemaError, instead of bringing it up to date: a service of that
	// version may be running. A database without tables gets them all the same.
	KeepSchema bool
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

// ErrNoDatabase reports that a folder holds no database.
var ErrNoDatabase = errors.New("no database")

// callTimeout bounds a call of the service that has no deadline of its own, so
// that a database that hangs is an error for its caller.
const callTimeout = 2 * time.Second

// ErrDatabaseGone reports that the database file was deleted, moved away or replaced
// under the open store. What is written through the store then is lost with it, so
// every write fails until the program is started again.
var ErrDatabaseGone = errors.New("the database file was deleted or replaced while it was open; restart the program")

// Store is the open database. Its methods are safe for concurrent use.
type Store struct {
	db      *sql.DB
	reads   *sql.DB // for statements that change nothing, which need not queue behind writers
	dialect dialect
	// present fails with ErrDatabaseGone when the files of the database are gone.
	present func() error
	// background holds a token while a write that can wait is under way. With at most
	// one of them an inquiry never queues behind a flood of feedback or questions.
	background chan struct{}
	padding    string // of CheckWrite
	// newQuestions and newAnswers count the rows that were added since the last trim.
	newQuestions, newAnswers atomic.Int64
	marks                    daySecret
}

// dialect is what SQLite and PostgreSQL do differently. A lock is a statement at the
// beginning of a transaction; it is empty where writing transactions take turns anyway.
type dialect struct {
	name       string // of its own schema steps: 0007_name.postgres.sql
	lockSchema string // one program at a time changes the schema
	// write is how every transaction that writes begins.
	write sql.TxOptions
	// session is a statement that each transaction begins with, because a pooler in
	// front of the server hands its sessions from one client to the next; empty when
	// the settings of a session last.
	session string
	// renumber makes the numbers of new questions follow those that were imported.
	renumber func(ctx context.Context, tx *sql.Tx) error
	// vacuum gives the space of deleted rows back.
	vacuum func(ctx context.Context, s *Store) error
	// addQuestions counts questions, ordered by key, and returns how many were new.
	addQuestions func(ctx context.Context, tx *sql.Tx, questions []Asked) (added int, err error)
	// addAnswers counts answered questions, ordered by key and entry, and returns how many
	// were new. One that was not asked, only marked, is not added.
	addAnswers func(ctx context.Context, tx *sql.Tx, answers []Answer) (added int, err error)
}

// Open opens the database, creates the SQLite file when it is missing, and brings the
// tables up to date unless the options keep the schema. Its errors hold no password. It is
// ErrNoDatabase when there must be a database and is none.
func Open(ctx context.Context, options Options) (*Store, error) {
	store, _, err := open(ctx, options)
	if errors.Is(err, ErrNoDatabase) {
		return nil, err // which names the folder
	}
	if err != nil {
		return nil, fmt.Errorf("records: open %s: %w", options, err)
	}
	return store, nil
}

// open returns the store and what was done to its schema.
func open(ctx context.Context, options Options) (*Store, Migration, error) {
	connect := openSQLite
	if options.URL != "" {
		connect = openPostgres
	}
	store, err := connect(ctx, options)
	if err != nil {
		return nil, Migration{}, err
	}
	store.background = make(chan struct{}, 1)
	store.padding = randomText(checkSize)
	var done Migration
	steps, err := schema(store.dialect.name)
	if err == nil {
		done, err = store.migrate(ctx, steps, options.KeepSchema)
	}
	if err != nil {
		_ = store.Close()
		return nil, Migration{}, err
	}
	return store, done, nil
}

// change runs a transaction that begins with a lock, or with none when that is empty.
// It is rolled back when do fails.
func (s *Store) change(ctx context.Context, lock string, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, &s.dialect.write)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it has nothing to do
	for _, statement := range []string{s.dialect.session, lock} {
		if statement == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if err := do(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.present()
}

// exec runs one statement that writes, and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	if s.dialect.session != "" {
		err = s.change(ctx, "", func(tx *sql.Tx) error {
			rows, err = affected(tx.ExecContext(ctx, statement, args...))
			return err
		})
		return rows, err
	}
	if rows, err = affected(s.db.ExecContext(ctx, statement, args...)); err != nil {
		return rows, err
	}
	return rows, s.present()
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// inBackground runs a write that can wait, one at a time. It fails when ctx ends
// before the turn comes.
func (s *Store) inBackground(ctx context.Context, write func() error) error {
	select {
	case s.background <- struct{}{}:
		defer func() { <-s.background }()
		return write()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pools are the pools of connections by name, for their statistics.
func (s *Store) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{s.dialect.name: s.db}
	if s.reads != s.db {
		pools[s.dialect.name+"_reads"] = s.reads
	}
	return pools
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := version(ctx, s.db)
	if err == nil {
		err = s.present()
	}
	if err != nil {
		return fmt.Errorf("records: ping: %w", err)
	}
	return nil
}

// checkSize is how many bytes CheckWrite stores: about as many as the largest inquiry,
// so that a disk with no room for an inquiry has none for the check.
const checkSize = 24 << 10

// CheckWrite stores a row, in place of the one before, and reports why that cannot be
// done: the database is away, read-only, full, or its file is gone.
func (s *Store) CheckWrite(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.exec(ctx, `INSERT INTO write_checks (id, checked_at, padding) VALUES (1, $1, $2)
		ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, padding = excluded.padding`,
		time.Now().UnixMicro(), s.padding)
	if err != nil {
		return fmt.Errorf("records: check write: %w", err)
	}
	return nil
}

// randomText is text that no database can compress.
func randomText(size int) string {
	var text strings.Builder
	for text.Len() < size {
		text.WriteString(rand.Text())
	}
	return text.String()
}

// Close closes the database. Every later call returns an error.
func (s *Store) Close() error { return errors.Join(s.reads.Close(), s.db.Close()) }
