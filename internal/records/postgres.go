package records

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// The pool of one instance. Twenty instances stay below the hundred connections
// that a PostgreSQL server allows when nobody has set it up.
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

// sessionSettings make every session the one that the statements were written for,
// whatever the server's own defaults are. A lock that another session holds is given
// up before callTimeout, so that the caller learns of a lock and not of a silent
// server. A commit that is not on the disk would break what a 200 promises; a server
// that waits for its standbys too is left so.
const sessionSettings = `SET lock_timeout = '1500ms';
	SET default_transaction_isolation = 'read committed';
	SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

// postgresDialect has explicit locks. That of the schema is an advisory one, because
// at the first start there is no table to lock; its number is of no meaning, but the
// same in every frontdesk. Both end with their transaction.
var postgresDialect = dialect{
	lockSchema:    `SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(7309453174525653611)`,
	lockQuestions: `LOCK TABLE questions IN SHARE ROW EXCLUSIVE MODE`,
	snapshot:      sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
}

// openPostgres refuses a server that does not answer: a start without the database
// could not keep what it promises. Later the server may go and come back.
func openPostgres(ctx context.Context, options Options) (*Store, error) {
	config, err := parseURL(options.URL)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		// Not parameters of the connection: PgBouncer refuses those that it does not know.
		_, err := conn.Exec(ctx, sessionSettings)
		return err
	}))
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxIdleTime(connIdle)
	db.SetConnMaxLifetime(connLifetime)
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &Store{db: db, reads: db, dialect: postgresDialect}, nil
}
