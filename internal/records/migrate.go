package records

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"
)

// The numbered steps of the schema. A released step must not change.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versionTable records the steps taken.
const versionTable = `CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)`

// version returns the number of the last step taken. It fails on a database without any.
func version(ctx context.Context, q querier) (int, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_versions`).Scan(&n)
	return n, err
}

// migrationTimeout bounds a start whose server stops answering. A step may change every row.
const migrationTimeout = 5 * time.Minute

// SchemaError reports a database whose schema belongs to another version of the program.
type SchemaError struct {
	Found int // the version of the database
	Known int // the version of this program
}

func (e *SchemaError) Error() string {
	if e.Found > e.Known {
		return fmt.Sprintf("the database was written by a newer frontdesk (schema %d, this program knows %d): "+
			"run the program of the service, or a later one", e.Found, e.Known)
	}
	return fmt.Sprintf("the database belongs to an older frontdesk (schema %d, this program has %d), which may be "+
		"running: run the program of the service; or replace the service, whose start brings the database up to date; "+
		"or stop the service and run frontdesk migrate", e.Found, e.Known)
}

// Migration holds the versions of the schema before and after. They are equal if nothing was
// to do.
type Migration struct{ From, To int }

// Migrate migrates the schema of an existing database.
func Migrate(ctx context.Context, options Options) (Migration, error) {
	options.MustExist, options.KeepSchema = true, false
	store, err := open(ctx, options)
	if err != nil {
		return Migration{}, wrap(err, "migrate "+options.String())
	}
	return store.migrated, store.Close()
}

// migrate takes the missing steps, all or none. The transaction holds a lock, so that programs
// that start at once take turns. With keep it takes them only on a database without tables, and
// returns a *SchemaError for an older version.
func (s *Store) migrate(ctx context.Context, steps []string, keep bool) (done Migration, err error) {
	ctx, cancel := context.WithTimeout(ctx, migrationTimeout)
	defer cancel()
	if current, err := version(ctx, s.db); err == nil && current > 0 && (keep || current >= len(steps)) {
		// nothing to write, so a start does not wait for another's lock
		return Migration{current, current}, matches(current, steps)
	}
	err = s.transact(ctx, func(tx transaction) (err error) {
		if err := tx.execIfAny(s.dialect.turn); err != nil {
			return err
		}
		done, err = advance(ctx, tx, steps, keep)
		return err
	})
	return done, err
}

// matches returns a *SchemaError unless a version is that of the steps.
func matches(current int, steps []string) error {
	if current != len(steps) {
		return &SchemaError{Found: current, Known: len(steps)}
	}
	return nil
}

func advance(ctx context.Context, tx querier, steps []string, keep bool) (done Migration, err error) {
	if _, err := tx.ExecContext(ctx, versionTable); err != nil {
		return done, err
	}
	current, err := version(ctx, tx)
	if err != nil {
		return done, err
	}
	if current > len(steps) || keep && current > 0 {
		return Migration{current, current}, matches(current, steps)
	}
	for i, step := range steps[current:] {
		number := current + i + 1
		_, err := tx.ExecContext(ctx, step)
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO schema_versions (version) VALUES ($1)`, number)
		}
		if err != nil {
			return done, fmt.Errorf("schema step %d: %w", number, err)
		}
	}
	return Migration{current, len(steps)}, nil
}

// schema returns the steps of a dialect. Its files are named 0001_schema.sqlite.sql and so on.
func schema(dialect string) (steps []string) {
	names, _ := fs.Glob(migrations, "migrations/*."+dialect+".sql") // sorted; embedded files can be read
	for _, name := range names {
		step, _ := migrations.ReadFile(name)
		steps = append(steps, string(step))
	}
	return steps
}
