package records

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// The numbered steps of the schema. A step that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versionTable remembers the steps taken. SQLite's own user_version would do, but
// no other database has it.
const versionTable = `CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)`

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version is the number of the last step taken; it fails on a database without any.
func version(ctx context.Context, q querier) (int, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_versions`).Scan(&n)
	return n, err
}

// migrationTimeout bounds a start whose server falls silent in the middle. It is
// long, because a step may go over all that was ever stored.
const migrationTimeout = 5 * time.Minute

// migrate takes the steps that are missing, all or none. The transaction holds a
// lock, so programs that start at once take them in turn.
func (s *Store) migrate(ctx context.Context, steps []string) error {
	ctx, cancel := context.WithTimeout(ctx, migrationTimeout)
	defer cancel()
	if current, err := version(ctx, s.db); err == nil && current == len(steps) {
		return nil // nothing to write: a start does not wait for another's lock
	}
	return s.change(ctx, s.dialect.lockSchema, func(tx *sql.Tx) error { return advance(ctx, tx, steps) })
}

func advance(ctx context.Context, tx querier, steps []string) error {
	if _, err := tx.ExecContext(ctx, versionTable); err != nil {
		return err
	}
	current, err := version(ctx, tx)
	if err != nil {
		return err
	}
	if current > len(steps) {
		return fmt.Errorf("written by a newer frontdesk (schema %d, this program knows %d): run that or a later version",
			current, len(steps))
	}
	for i, step := range steps[current:] {
		number := current + i + 1
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("schema step %d: %w", number, err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO schema_versions (version) VALUES ($1)`, number); err != nil {
			return fmt.Errorf("schema step %d: %w", number, err)
		}
	}
	return nil
}

// schema reads the embedded files, whose names begin with 0001, 0002 and so on. A step
// that differs between the databases has a file for each: 0007_name.sqlite.sql and
// 0007_name.postgres.sql.
func schema(dialect string) ([]string, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql") // sorted by name
	if err != nil {
		return nil, err
	}
	var steps []string
	for _, name := range names {
		if _, of, found := strings.Cut(strings.TrimSuffix(name, ".sql"), "."); found && of != dialect {
			continue
		}
		if want := fmt.Sprintf("migrations/%04d_", len(steps)+1); !strings.HasPrefix(name, want) {
			return nil, fmt.Errorf("the schema step %s should be named %s…", name, want)
		}
		step, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		steps = append(steps, string(step))
	}
	return steps, nil
}
