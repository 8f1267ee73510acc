package records

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"frontdesk/internal/span"
)

// Options locate the records.
type Options struct {
	Dir string // the data folder, which must exist: only serve and restore make it
	URL string // postgres://…; empty means the SQLite file in Dir

	// MustExist refuses a data folder without a database with ErrNoDatabase: a command
	// that only reads must not make an empty one.
	MustExist bool

	// KeepSchema refuses a database whose schema belongs to another version of the program
	// with a *SchemaError instead of migrating it, because a service of that version may be
	// running. A database without tables gets them.
	KeepSchema bool

	// MayBeAway opens a store even if the PostgreSQL server does not answer: see Store.ConnectError.
	MayBeAway bool
}

// FileName is the name of the database in the data folder.
const FileName = "frontdesk.db"

// path is the SQLite file.
func (o Options) path() string { return filepath.Join(o.Dir, FileName) }

// String returns the path of the file, or the address without its password.
func (o Options) String() string {
	if o.URL == "" {
		return o.path()
	}
	return publicURL(o.URL)
}

// ErrNoDatabase reports that a folder holds no database.
var ErrNoDatabase = errors.New("no database")

// CallTimeout bounds a call without a deadline of its own, so that its caller gets an error
// when the database hangs. listTimeout bounds a list, which may be long, and a write in the
// background; longTimeout bounds an import, an erasure and the deletion of all old rows.
// CallTimeout is a variable for the tests: the disk of their machine may be busy for longer.
var CallTimeout = 2 * time.Second

const (
	listTimeout = 10 * time.Second
	longTimeout = time.Hour
)

// ErrDatabaseGone reports that the database file was deleted, moved or replaced while the
// store had it open. Anything written to it would be lost, so every write fails until the
// program is restarted.
var ErrDatabaseGone = errors.New("the database file was deleted or replaced while it was open; restart the program")

// Store is the open database. Its methods are safe for concurrent use.
type Store struct {
	db      *sql.DB
	reads   *sql.DB // for statements that only read, which need not queue behind writers
	dialect dialect
	// present fails with ErrDatabaseGone when the files of the database are gone.
	present func() error
	server  *server // nil for SQLite
	// migrated is what Open has done to the schema.
	migrated Migration
	// background holds a token while a write that can wait is under way. There is at most
	// one, so an inquiry never queues behind a flood of feedback or questions.
	background chan struct{}
	padding    string       // random text for CheckWrite
	added      atomic.Int64 // rows that batches have added since the last trim
}

// dialect holds the differences between SQLite and PostgreSQL. Statements may be empty.
type dialect struct {
	name     string        // part of the names of schema steps
	turn     string        // makes a transaction wait for its turn; empty where all writers take turns anyway
	write    sql.TxOptions // options of every transaction that writes
	session  string        // begins every transaction that writes
	renumber string        // makes the numbers of new questions follow the imported ones
	vacuum   []string      // return the space of deleted rows
}

// Open opens the database, creates the SQLite file if it is missing, and migrates the schema
// unless the options keep it. Its errors hold no password. It returns ErrNoDatabase if a
// database must exist and does not.
func Open(ctx context.Context, options Options) (*Store, error) {
	store, err := open(ctx, options)
	if !errors.Is(err, ErrNoDatabase) { // that error already names the folder
		err = wrap(err, "open "+options.String())
	}
	return store, err
}

func open(ctx context.Context, options Options) (*Store, error) {
	connect := openSQLite
	if options.URL != "" {
		connect = openPostgres
	}
	store, err := connect(ctx, options)
	if err != nil {
		return nil, err
	}
	store.background = make(chan struct{}, 1)
	random := make([]byte, checkSize)
	_, _ = rand.Read(random) // never fails
	store.padding = base64.StdEncoding.EncodeToString(random)
	if store.ConnectError() != nil {
		return store, nil
	}
	store.migrated, err = store.migrate(ctx, schema(store.dialect.name), options.KeepSchema)
	if err != nil {
		_ = store.Close()
		return nil, err
	}
	return store, nil
}

// bounded adds a timeout to a context without a deadline.
func bounded(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, timeout)
}

// wrap adds the purpose of a call to its error.
func wrap(err error, purpose string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("records: %s: %w", purpose, err)
}

// change runs a transaction, which is rolled back when do fails.
func (s *Store) change(ctx context.Context, purpose string, do func(tx transaction) error) error {
	defer span.Since(ctx, span.Database, time.Now())
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	return wrap(s.transact(ctx, do), purpose)
}

// result returns the result of a transaction, or the zero value if it was rolled back.
func result[T any](ctx context.Context, s *Store, purpose string,
	do func(tx transaction) (T, error)) (done T, err error) {
	err = s.change(ctx, purpose, func(tx transaction) error {
		done, err = do(tx)
		return err
	})
	if err != nil {
		return *new(T), err
	}
	return done, nil
}

func (s *Store) transact(ctx context.Context, do func(tx transaction) error) error {
	tx := transaction{ctx: ctx}
	if err := untilUnlocked(ctx, func() (err error) {
		tx.Tx, err = s.db.BeginTx(ctx, &s.dialect.write)
		return err
	}); err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	if err := tx.execIfAny(s.dialect.session); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.present()
}

type transaction struct {
	*sql.Tx
	ctx context.Context
}

// exec executes a statement and returns how many rows it changed.
func (tx transaction) exec(statement string, args ...any) (rows int64, err error) {
	result, err := tx.ExecContext(tx.ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// execIfAny executes a statement of the dialect, which may be empty.
func (tx transaction) execIfAny(statement string) (err error) {
	if statement != "" {
		_, err = tx.exec(statement)
	}
	return err
}

// exec executes a statement and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, purpose, statement string, args ...any) (rows int64, err error) {
	return result(ctx, s, purpose, func(tx transaction) (int64, error) {
		return tx.exec(statement, args...)
	})
}

// execOne executes a statement that changes one row. It returns missing if there is no such
// row.
func (s *Store) execOne(ctx context.Context, purpose string, missing error, statement string, args ...any) error {
	rows, err := s.exec(ctx, purpose, statement, args...)
	if err == nil && rows == 0 {
		err = wrap(missing, purpose)
	}
	return err
}

// read scans the one row of a statement.
func (s *Store) read(ctx context.Context, purpose string, into []any, statement string, args ...any) error {
	defer span.Since(ctx, span.Database, time.Now())
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	return wrap(s.reads.QueryRowContext(ctx, statement, args...).Scan(into...), purpose)
}

// inBackground runs a write that can wait, one at a time, each for at most listTimeout. It fails
// when ctx ends before its turn.
func (s *Store) inBackground(ctx context.Context, purpose string, write func(ctx context.Context) error) error {
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	select {
	case s.background <- struct{}{}:
		defer func() { <-s.background }()
		ctx, cancel := context.WithTimeout(ctx, listTimeout)
		defer cancel()
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

// Pools returns the connection pools by name.
func (s *Store) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{s.dialect.name: s.db}
	if s.reads != s.db {
		pools[s.dialect.name+"_reads"] = s.reads
	}
	return pools
}

// checkSize is how many random bytes CheckWrite stores in base64: about as much as the largest
// inquiry, so that a disk without room for an inquiry has none for the check.
const checkSize = 18 << 10

// CheckWrite overwrites one row. It fails if the database is away, read-only or full, or its
// file is gone.
func (s *Store) CheckWrite(ctx context.Context) error {
	_, err := s.exec(ctx, "check write", `INSERT INTO write_checks (id, checked_at, padding) VALUES (1, $1, $2)
		ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, padding = excluded.padding`,
		time.Now().UnixMicro(), s.padding)
	return err
}

// Close closes the database. Every later call returns an error.
func (s *Store) Close() error { return errors.Join(s.reads.Close(), s.db.Close()) }

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// table describes a table, and the lines of its rows in an export.
type table[T any] struct {
	name    string
	columns string             // separated by a comma and a space
	fields  func(row *T) []any // pointers to the values of the columns, in their order

	condition string // of adding a row; empty means none
	conflict  string // what adding a row does if it is there; empty means nothing

	kind     string // the type of a line
	id       string // the member of a line that must not be empty
	exported string // condition of the rows that are exported; empty means all
	// order are the columns by which an export is ordered; no two rows have the same values. If it is the number,
	// which is the first column then, a row is added with the next number if its own is taken.
	order string
	line  func(row *T) any // pointer to the members of a line but the type; nil means the row itself
	// imported completes a row that an import has added; nil means nothing.
	imported func(tx transaction, row *T) error
}

// values returns the values of the columns in types that every driver takes.
func (t table[T]) values(row *T) []any {
	values := t.fields(row)
	for i, field := range values {
		if value, err := driver.DefaultParameterConverter.ConvertValue(field); err == nil { // else the driver refuses it
			values[i] = value
		}
	}
	return values
}

// parameters returns $1 and so on for a number of values.
func parameters(values []any) []string {
	names := make([]string, len(values))
	for i := range values {
		names[i] = fmt.Sprint("$", i+1)
	}
	return names
}

// add adds a row unless it is there, and returns how many rows that added.
func (t table[T]) add(tx transaction, row T) (added int64, err error) {
	values := t.values(&row)
	inserted := parameters(values)
	if t.order == "number" {
		inserted[0] = fmt.Sprintf(`CASE WHEN EXISTS (SELECT 1 FROM %s WHERE number = $1)
			THEN (SELECT MAX(number) + 1 FROM %[1]s) ELSE $1 END`, t.name)
	}
	return tx.exec(`INSERT INTO `+t.name+` (`+t.columns+`)
		SELECT `+strings.Join(inserted, ", ")+` WHERE `+cmp.Or(t.condition, "true")+`
		ON CONFLICT `+cmp.Or(t.conflict, "DO NOTHING"), values...)
}

// find returns the rows that the clauses of a SELECT statement choose. The list is nil only with an error.
func (t table[T]) find(ctx context.Context, db querier, clauses string, args ...any) ([]T, error) {
	return list(ctx, db, t.fields, `SELECT `+t.columns+` FROM `+t.name+` `+clauses, args...)
}

// list finds rows outside a transaction; its errors name purpose.
func (t table[T]) list(ctx context.Context, s *Store, purpose, clauses string, args ...any) ([]T, error) {
	all, err := t.find(ctx, s.reads, clauses, args...)
	return all, wrap(err, purpose)
}

// get returns the one row that the clauses of a SELECT statement choose, or ErrNotFound.
func (t table[T]) get(ctx context.Context, db querier, clauses string, args ...any) (T, error) {
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	return one(t.find(ctx, db, clauses, args...))
}

// change executes a statement and returns the one row that it changed or deleted, or ErrNotFound.
func (t table[T]) change(tx transaction, statement string, args ...any) (T, error) {
	return one(list(tx.ctx, tx, t.fields, statement+` RETURNING `+t.columns, args...))
}

func one[T any](rows []T, err error) (T, error) {
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return *new(T), err
	}
	return rows[0], nil
}

// list returns the rows of a statement, whose columns are scanned into fields. The list is nil only with an error.
func list[T any](ctx context.Context, db querier, fields func(row *T) []any, statement string, args ...any) ([]T,
	error) {
	all := []T{}
	err := each(ctx, db, func(rows *sql.Rows) error {
		var row T
		err := rows.Scan(fields(&row)...)
		all = append(all, row)
		return err
	}, statement, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each calls read for each row of a statement.
func each(ctx context.Context, db querier, read func(rows *sql.Rows) error, statement string, args ...any) error {
	if _, isPart := db.(transaction); !isPart { // a transaction is measured as a whole
		defer span.Since(ctx, span.Database, time.Now())
	}
	ctx, cancel := bounded(ctx, listTimeout)
	defer cancel()
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// texts returns the one column of a statement.
func texts(ctx context.Context, db querier, statement string) ([]string, error) {
	return list(ctx, db, func(text *string) []any { return []any{text} }, statement)
}

// instant is a time in a column: microseconds since 1970, and 0 for the zero time.
type instant struct{ at *time.Time }

// Value implements driver.Valuer.
func (i instant) Value() (driver.Value, error) {
	if i.at.IsZero() {
		return int64(0), nil
	}
	return i.at.UnixMicro(), nil
}

// Scan implements sql.Scanner.
func (i instant) Scan(value any) error {
	var stored sql.NullInt64
	if err := stored.Scan(value); err != nil { // it shows the value
		return fmt.Errorf("%T is not a time", value)
	}
	*i.at = time.Time{}
	if stored.Int64 != 0 {
		*i.at = time.UnixMicro(stored.Int64).UTC()
	}
	return nil
}

// moment is like instant for a column that is NULL for the zero time.
type moment struct{ instant }

func micros(at *time.Time) moment { return moment{instant{at}} }

// Value implements driver.Valuer.
func (m moment) Value() (driver.Value, error) {
	if m.at.IsZero() {
		return nil, nil
	}
	return m.instant.Value()
}

// storable is a text of others, such as a mail server's reply, in a form that every
// database takes: PostgreSQL has neither NUL nor invalid UTF-8.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
