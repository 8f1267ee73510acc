package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"sync"
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

// transactionSettings begin every transaction that writes, whatever the server's own
// defaults are: a pooler in front of the server may give each transaction another session.
// A lock that another session holds is given up before callTimeout, so that the caller
// learns of a lock and not of a silent server. A commit that is not on the disk would break
// the promise of a 200; a server that waits for its standbys too is left so.
const transactionSettings = `SET LOCAL lock_timeout = '1500ms';
	SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`

// postgresDialect locks the schema with an advisory lock, because at the first start
// there is no table to lock. Its number has no meaning, but is the same in every
// frontdesk. The lock ends with its transaction. New numbers come from sequences, without
// a lock; a row that is stored keeps its own, because a sequence does not take one back.
var postgresDialect = dialect{
	name:       "postgres",
	lockSchema: `SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(7309453174525653611)`,
	write:      sql.TxOptions{Isolation: sql.LevelReadCommitted},
	rows:       `json_array_elements(CAST($1 AS json)) AS each (value)`,
	number:     `COALESCE(old.number, nextval('?'))`,
	renumber: `SELECT setval('question_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM questions), false),
		setval('answered_numbers', (SELECT COALESCE(MAX(number), 0) + 1 FROM answered), false)`,
	session: transactionSettings,
}

// openPostgres connects to a server. One that does not answer is an error, unless the
// options say that the store may be opened without it: later calls then fail until it is
// there and its schema is that of the program.
func openPostgres(ctx context.Context, options Options) (*Store, error) {
	config, err := parseURL(options.URL)
	if err != nil {
		return nil, err
	}
	config.OnPgError = func(_ *pgconn.PgConn, err *pgconn.PgError) bool { return keepsConnection(err) }
	if !strings.Contains(options.URL, "default_query_exec_mode=") {
		config.DefaultQueryExecMode = pgx.QueryExecModeExec // named prepared statements are lost behind a pooler
	}
	var connector driver.Connector = stdlib.GetConnector(*config, stdlib.OptionResetSession(discardReadOnly))
	s := poolOf(connector)
	if err := s.answers(ctx); err != nil {
		err = errors.Join(err, s.Close())
		if !options.MayBeAway || !isAway(err) {
			return nil, err
		}
		s = poolOf(&lateConnector{err: err, reach: func(ctx context.Context) (driver.Connector, error) {
			there := poolOf(connector)
			defer there.Close()
			if err := there.answers(ctx); err != nil {
				return nil, err
			}
			_, err := there.bringUpToDate(ctx, options.KeepSchema)
			return connector, err
		}})
		s.away = err
	}
	return s, nil
}

// poolOf is a store on the connections of a connector.
func poolOf(connector driver.Connector) *Store {
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxIdleTime(connIdle)
	db.SetConnMaxLifetime(connLifetime)
	return &Store{db: db, reads: db, dialect: postgresDialect, present: func() error { return nil }}
}

// answers returns why the server does not answer a statement, or nil. A pooler lets clients
// in also while the server behind it is away.
func (s *Store) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `SELECT 1`)
	return err
}

// isAway reports whether an error says that a server does not answer now, and not that it
// refuses this program.
func isAway(err error) bool {
	refusal, answered := errors.AsType[*pgconn.PgError](err)
	return !answered || strings.HasPrefix(refusal.Code, operatorClass) || strings.HasPrefix(refusal.Code, resourcesClass)
}

// reachInterval is how often a server is looked for that was away at the start, at most.
const reachInterval = time.Second

// lateConnector makes connections to a server that was away at the start. Calls never wait
// for it: the first one of an interval looks for it in the background.
type lateConnector struct {
	// reach looks for the server, and brings its schema up to date.
	reach func(ctx context.Context) (driver.Connector, error)

	mu      sync.Mutex
	found   driver.Connector // nil until reach has succeeded
	err     error            // why it is nil
	looking bool
	looked  time.Time
}

// Connect implements driver.Connector.
func (c *lateConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c.mu.Lock()
	found, err := c.found, c.err
	if found == nil && !c.looking && time.Since(c.looked) >= reachInterval {
		c.looking = true
		go c.look()
	}
	c.mu.Unlock()
	if found == nil {
		return nil, err
	}
	return found.Connect(ctx)
}

// Driver implements driver.Connector.
func (c *lateConnector) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

func (c *lateConnector) look() {
	found, err := c.reach(context.Background()) // which has bounds of its own
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looking, c.looked, c.err = false, time.Now(), err
	if err == nil {
		c.found = found
	}
}

// Errors after which a connection is of no use, although the server keeps it open
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const (
	readOnlyTransaction = "25006" // the server is a replica, or was set to read-only
	operatorClass       = "57P"   // the server is shutting down, crashed or starting
	resourcesClass      = "53"    // it has no room, such as for another connection
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
