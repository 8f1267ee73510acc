package records

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
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

	// MayBeAway opens a store on a PostgreSQL server that does not answer, whatever
	// KeepSchema says: see Store.Away.
	MayBeAway bool
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

// CallTimeout bounds a call of the service that has no deadline of its own, so
// that a database that hangs is an error for its caller. listTimeout bounds a list, which may
// be long; longTimeout what goes over all rows: an import, an erasure, the deletion of old
// rows.
const (
	CallTimeout = 2 * time.Second
	listTimeout = 10 * time.Second
	longTimeout = time.Hour
)

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
	server  *server // nil for SQLite
	// background holds a token while a write that can wait is under way. With at most
	// one of them an inquiry never queues behind a flood of feedback or questions.
	background chan struct{}
	padding    string       // of CheckWrite
	added      atomic.Int64 // rows of batches since the last trim
}

// dialect is what SQLite and PostgreSQL do differently.
type dialect struct {
	name    string        // of its own schema steps: 0007_name.postgres.sql
	turn    string        // the statement of takeTurn; empty where all writers take turns anyway
	write   sql.TxOptions // of every transaction that writes
	session string        // a statement that each transaction begins with; may be empty
	// renumber is a statement that makes the numbers of new questions follow those that
	// were imported; empty when they do by themselves.
	renumber string
	// vacuum are statements that give the space of deleted rows back.
	vacuum []string
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
	random := make([]byte, checkSize)
	_, _ = rand.Read(random) // which never fails
	store.padding = base64.StdEncoding.EncodeToString(random)
	if store.Away() != nil {
		return store, Migration{}, nil
	}
	done, err := store.migrate(ctx, schema(store.dialect.name), options.KeepSchema)
	if err != nil {
		_ = store.Close()
		return nil, Migration{}, err
	}
	return store, done, nil
}

// bounded gives a call without a deadline the time of a timeout.
func bounded(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, timeout)
}

// wrap says what failed.
func wrap(err error, purpose string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("records: %s: %w", purpose, err)
}

// change runs a transaction, which is rolled back when do fails. The error names the
// purpose.
func (s *Store) change(ctx context.Context, purpose string, do func(ctx context.Context, tx *sql.Tx) error) error {
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	return wrap(s.transact(ctx, func(tx *sql.Tx) error { return do(ctx, tx) }), purpose)
}

// result is the result of a transaction, and the zero value when it was rolled back.
func result[T any](ctx context.Context, s *Store, purpose string,
	do func(ctx context.Context, tx *sql.Tx) (T, error)) (done T, err error) {
	err = s.change(ctx, purpose, func(ctx context.Context, tx *sql.Tx) error {
		done, err = do(ctx, tx)
		return err
	})
	if err != nil {
		return *new(T), err
	}
	return done, nil
}

func (s *Store) transact(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, &s.dialect.write)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it has nothing to do
	if s.dialect.session != "" {
		if _, err := tx.ExecContext(ctx, s.dialect.session); err != nil {
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

// takeTurn makes a transaction wait until no other program's transaction has its turn.
func (s *Store) takeTurn(ctx context.Context, tx *sql.Tx) (err error) {
	if s.dialect.turn != "" {
		_, err = tx.ExecContext(ctx, s.dialect.turn)
	}
	return err
}

// exec runs one statement that writes, and returns how many rows it changed. The error
// names the purpose.
func (s *Store) exec(ctx context.Context, purpose, statement string, args ...any) (rows int64, err error) {
	return result(ctx, s, purpose, func(ctx context.Context, tx *sql.Tx) (int64, error) {
		return affected(tx.ExecContext(ctx, statement, args...))
	})
}

// execOne is exec for a statement that changes one row. It fails with missing when there is
// no such row.
func (s *Store) execOne(ctx context.Context, purpose string, missing error, statement string, args ...any) error {
	rows, err := s.exec(ctx, purpose, statement, args...)
	if err == nil && rows == 0 {
		err = wrap(missing, purpose)
	}
	return err
}

// read reads the one row of a statement into variables. The error names the purpose.
func (s *Store) read(ctx context.Context, purpose string, into []any, statement string, args ...any) error {
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	return wrap(s.reads.QueryRowContext(ctx, statement, args...).Scan(into...), purpose)
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// inBackground runs a write that can wait, one at a time. It fails when ctx ends
// before the turn comes; that error names the purpose.
func (s *Store) inBackground(ctx context.Context, purpose string, write func(ctx context.Context) error) error {
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	select {
	case s.background <- struct{}{}:
		defer func() { <-s.background }()
		return write(ctx)
	case <-ctx.Done():
		return wrap(ctx.Err(), purpose)
	}
}

// execInBackground is exec for a write that can wait.
func (s *Store) execInBackground(ctx context.Context, purpose, statement string, args ...any) (rows int64, err error) {
	err = s.inBackground(ctx, purpose, func(ctx context.Context) error {
		rows, err = s.exec(ctx, purpose, statement, args...)
		return err
	})
	return rows, err
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
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	_, err := version(ctx, s.db)
	if err == nil {
		err = s.present()
	}
	return wrap(err, "ping")
}

// checkSize is how many random bytes CheckWrite stores, in base64, which no database can
// compress: about as much as the largest inquiry, so that a disk with no room for an inquiry
// has none for the check.
const checkSize = 18 << 10

// CheckWrite stores a row, in place of the one before, and reports why that cannot be
// done: the database is away, read-only, full, or its file is gone.
func (s *Store) CheckWrite(ctx context.Context) error {
	_, err := s.exec(ctx, "check write", `INSERT INTO write_checks (id, checked_at, padding) VALUES (1, $1, $2)
		ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, padding = excluded.padding`,
		time.Now().UnixMicro(), s.padding)
	return err
}

// Close closes the database. Every later call returns an error.
func (s *Store) Close() error { return errors.Join(s.reads.Close(), s.db.Close()) }
