package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// The pool of one instance. Twenty instances stay below the hundred connections that
// a PostgreSQL server allows by default.
const (
	maxConns     = 4
	connIdle     = 5 * time.Minute
	connLifetime = 30 * time.Minute // so that a changed address of the server is noticed
)

// Times of a PostgreSQL server.
const (
	connectTimeout = 2 * time.Second // unless the address has a connect_timeout
	startTimeout   = 5 * time.Second
)

// postgresDialect gives turns by an advisory lock, because at the first start there is no
// table to lock. Its number is arbitrary. The lock ends with its transaction.
var postgresDialect = dialect{
	name:  "postgres",
	turn:  `SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(7309453174525653611)`,
	write: sql.TxOptions{Isolation: sql.LevelReadCommitted},
	renumber: `SELECT
		setval(pg_get_serial_sequence('questions', 'number'), (SELECT COALESCE(MAX(number), 0) + 1 FROM questions), false),
		setval(pg_get_serial_sequence('answered', 'number'), (SELECT COALESCE(MAX(number), 0) + 1 FROM answered), false)`,
	// It begins every transaction, because a pooler may give each another session. The lock timeout is shorter than
	// CallTimeout, so that the error is about the lock and not about a silent server. Every commit
	// must be on the disk before it is confirmed; a server that also waits for its standbys keeps
	// doing so.
	session: `SET LOCAL lock_timeout = '1500ms';
		SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`,
}

// openPostgres connects to a server, or fails unless the options allow an unreachable one.
func openPostgres(ctx context.Context, options Options) (*Store, error) {
	config, err := parseURL(options.URL)
	if err != nil {
		return nil, err
	}
	config.OnPgError = func(_ *pgconn.PgConn, err *pgconn.PgError) bool { return keepsConnection(err) }
	if !strings.Contains(options.URL, "default_query_exec_mode=") {
		config.DefaultQueryExecMode = pgx.QueryExecModeExec // named prepared statements are lost behind a pooler
	}
	s := poolOf(stdlib.GetConnector(*config, stdlib.OptionResetSession(discardReadOnly)))
	if err := s.answers(ctx); err != nil {
		if !options.MayBeAway || !isAway(err) {
			return nil, errors.Join(err, s.Close())
		}
		s.server.away.Store(&err)
	}
	return s, nil
}

// server connects to a PostgreSQL server, except while it is away.
type server struct {
	driver.Connector
	away atomic.Pointer[error] // why it is away, or nil
}

func (s *server) Connect(ctx context.Context) (driver.Conn, error) {
	if err := s.away.Load(); err != nil {
		return nil, *err
	}
	return s.Connector.Connect(ctx)
}

// ConnectError returns why the server did not answer when the store was opened, or nil if it did or
// Reconnect has reached it since. While it is away, every call fails at once.
func (s *Store) ConnectError() error {
	if s.server == nil {
		return nil
	}
	if err := s.server.away.Load(); err != nil {
		return wrap(*err, "open")
	}
	return nil
}

// Reconnect reconnects to a server that was away, and migrates its schema.
func (s *Store) Reconnect(ctx context.Context) error {
	there := poolOf(s.server.Connector)
	defer there.Close()
	err := there.answers(ctx)
	if err == nil {
		_, err = there.migrate(ctx, schema(there.dialect.name), false)
	}
	if err != nil {
		s.server.away.Store(&err) // the reason may have changed
		return wrap(err, "reach")
	}
	s.server.away.Store(nil)
	return nil
}

// poolOf returns a store on the connections of a connector.
func poolOf(connector driver.Connector) *Store {
	server := &server{Connector: connector}
	db := sql.OpenDB(server)
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxIdleTime(connIdle)
	db.SetConnMaxLifetime(connLifetime)
	return &Store{db: db, reads: db, server: server, dialect: postgresDialect, present: func() error { return nil }}
}

// answers fails unless the server executes a statement. A pooler accepts connections even while
// the server behind it is away.
func (s *Store) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `SELECT 1`)
	return err
}

// isAway reports whether an error means that a server is unavailable, and not that it refuses
// this program.
func isAway(err error) bool {
	refusal, answered := errors.AsType[*pgconn.PgError](err)
	return !answered || strings.HasPrefix(refusal.Code, operatorClass) ||
		strings.HasPrefix(refusal.Code, resourcesClass) || strings.Contains(refusal.Message, poolerAway)
}

// Errors after which a connection is of no use, although the server keeps it open
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const (
	readOnlyTransaction = "25006" // the server is a replica, or was set to read-only
	operatorClass       = "57P"   // the server is shutting down, crashed or starting
	resourcesClass      = "53"    // it lacks resources, such as room for another connection
)

// poolerAway is part of PgBouncer's error while it cannot log in to its server. The code of that error is also that of
// a client's password or database that PgBouncer refuses.
const poolerAway = "server login has been failing"

// keepsConnection reports whether a connection can be used after an error.
func keepsConnection(err *pgconn.PgError) bool {
	return !strings.EqualFold(err.Severity, "FATAL") && err.Code != readOnlyTransaction &&
		!strings.HasPrefix(err.Code, operatorClass)
}

// isDeadlock reports whether the server rolled a transaction back because of a deadlock.
func isDeadlock(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == "40P01"
}

// discardReadOnly drops a connection from a time when the server could not write: its session
// may still be read-only. A server (from version 14 on) reports that by these parameters.
func discardReadOnly(_ context.Context, conn *pgx.Conn) error {
	for _, name := range []string{"default_transaction_read_only", "in_hot_standby"} {
		if conn.PgConn().ParameterStatus(name) == "on" {
			return driver.ErrBadConn
		}
	}
	return nil
}
