package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"
)

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// record is a pointer to a row type. fields returns pointers to the values of its columns, in
// the order of the type's list of columns.
type record[T any] interface {
	*T
	fields() []any
}

// table describes the rows of a table that an export has lines of.
type table[T any, R record[T]] struct {
	kind   string // the type of a line
	id     string // the member of a line that must not be empty
	insert string // adds a row unless it is there; its arguments are the fields
	// page selects at most a number of rows since $1 that follow a row in the order of the
	// export. Its arguments behind $1 are those of after, and the number.
	page  string
	after func(row *T) []any
	line  func(row *T) any // pointer to the members of a line but the type
}

// add adds a row unless it is there, and returns how many rows that added.
func (t table[T, R]) add(ctx context.Context, tx *sql.Tx, row T) (added int64, err error) {
	values := R(&row).fields()
	for i, field := range values {
		if values[i], err = driver.DefaultParameterConverter.ConvertValue(field); err != nil {
			return 0, err
		}
	}
	return affected(tx.ExecContext(ctx, t.insert, values...))
}

// list returns the rows of a statement that selects the columns of T. The list is nil only
// with an error.
func list[T any, R record[T]](ctx context.Context, db querier, statement string, args ...any) ([]T, error) {
	all := []T{}
	err := each(ctx, db, func(rows *sql.Rows) error {
		var row T
		err := rows.Scan(R(&row).fields()...)
		all = append(all, row)
		return err
	}, statement, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// get returns the one row of a statement, or ErrNotFound.
func get[T any, R record[T]](ctx context.Context, db querier, statement string, args ...any) (T, error) {
	rows, err := list[T, R](ctx, db, statement, args...)
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return *new(T), err
	}
	return rows[0], nil
}

// each calls read for each row of a statement.
func each(ctx context.Context, db querier, read func(rows *sql.Rows) error, statement string, args ...any) error {
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
func texts(ctx context.Context, db querier, statement string, args ...any) (all []string, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		all = append(all, "")
		return rows.Scan(&all[len(all)-1])
	}, statement, args...)
	return all, err
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
	switch value := value.(type) {
	case nil:
		*i.at = time.Time{}
	case int64:
		*i.at = time.UnixMicro(value).UTC()
		if value == 0 {
			*i.at = time.Time{}
		}
	default:
		return fmt.Errorf("%T is not a time", value)
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
