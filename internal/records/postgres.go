package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strconv"
	"strings"
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

// The statements rely on these settings, whatever the server's own defaults are. A
// lock that another session holds is given up before callTimeout, so that the caller
// learns of a lock and not of a silent server. A commit that is not on the disk would
// break the promise of a 200; a server that waits for its standbys too is left so.
const (
	sessionSettings = `SET lock_timeout = '1500ms'; SET default_transaction_isolation = 'read committed';
	SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`
	transactionSettings = `SET LOCAL lock_timeout = '1500ms';
	SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`
)

// postgresDialect locks the schema with an advisory lock, because at the first start
// there is no table to lock. Its number has no meaning, but is the same in every
// frontdesk. The lock ends with its transaction. New numbers come from sequences, without
// a lock; a row that is stored keeps its own, because a sequence does not take one back.
var postgresDialect = dialect{
	name:           "postgres",
	lockSchema:     `SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(7309453174525653611)`,
	write:          sql.TxOptions{Isolation: sql.LevelReadCommitted},
	rows:           `json_array_elements(CAST($1 AS json)) AS each (value)`,
	questionNumber: `COALESCE((SELECT number FROM questions WHERE question_key = value ->> 'Key'), nextval('question_numbers'))`,
	answerNumber:   `COALESCE((SELECT number FROM answered WHERE question_key = value ->> 'Key' AND entry_id = value ->> 'EntryID'), nextval('answered_numbers'))`,
	renumber: `SELECT setval('question_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM questions), false),
		setval('answered_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM answered), false)`,
	vacuum: func(context.Context, *Store) error { return nil }, // the server does it by itself
}

// openPostgres fails when the server does not answer: a start without the database
// could not keep what it promises. Later the server may go away and come back.
func openPostgres(ctx context.Context, options Options) (*Store, error) {
	config, err := parseURL(options.URL)
	if err != nil {
		return nil, err
	}
	config.OnPgError = func(_ *pgconn.PgConn, err *pgconn.PgError) bool { return keepsConnection(err) }
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	pooled, err := isPooled(ctx, config)
	if err != nil {
		return nil, err
	}
	dialect := postgresDialect
	connected := func(ctx context.Context, conn *pgx.Conn) error {
		// Not parameters of the connection: PgBouncer refuses those that it does not know.
		_, err := conn.Exec(ctx, sessionSettings)
		return err
	}
	if pooled {
		dialect.session, connected = transactionSettings, func(context.Context, *pgx.Conn) error { return nil }
		if !strings.Contains(options.URL, "default_query_exec_mode=") {
			config.DefaultQueryExecMode = pgx.QueryExecModeExec // no named prepared statements
		}
	}
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(connected), stdlib.OptionResetSession(discardReadOnly))
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxIdleTime(connIdle)
	db.SetConnMaxLifetime(connLifetime)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &Store{db: db, reads: db, dialect: dialect, present: func() error { return nil }}, nil
}

// isPooled reports whether a pooler such as PgBouncer is in front of the server. It
// gives its clients process ids of its own, and in transaction mode the server session
// behind a connection may change after every transaction: neither settings of the
// session nor named prepared statements last.
func isPooled(ctx context.Context, config *pgx.ConnConfig) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer conn.Close(ctx) // it has served its purpose
	results, err := conn.PgConn().Exec(ctx, `SELECT pg_backend_pid()`).ReadAll()
	if err != nil {
		return false, err
	}
	backend := string(results[0].Rows[0][0])
	return backend != strconv.FormatUint(uint64(conn.PgConn().PID()), 10), nil
}

// Errors after which a connection is of no use, although the server keeps it open
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const (
	readOnlyTransaction = "25006" // the server is a replica, or was set to read-only
	operatorClass       = "57P"   // the server is shutting down, crashed or starting
)

// keepsConnection reports whether a connection can be used after an error.
func keepsConnection(err *pgconn.PgError) bool {
	return !strings.EqualFold(err.Severity, "FATAL") && err.Code != readOnlyTransaction && !strings.HasPrefix(err.Code, operatorClass)
}

// isDeadlock reports whether the server undid a transaction because it and another one
// waited for each other.
func isDeadlock(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == "40P01"
}

// readOnlyParameters are the parameters by which a server (from version 14 on) reports
// that a session cannot write.
var readOnlyParameters = []string{"default_transaction_read_only", "in_hot_standby"}

// discardReadOnly drops a connection that was made while the server could not write:
// its session may stay read-only although the server no longer is.
func discardReadOnly(_ context.Context, conn *pgx.Conn) error {
	if slices.ContainsFunc(readOnlyParameters, func(name string) bool { return conn.PgConn().ParameterStatus(name) == "on" }) {
		return driver.ErrBadConn
	}
	return nil
}
