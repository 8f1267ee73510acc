package records

import (
	"context"
	"database/sql"
	"strings"
)

// record is a pointer to a row type. fields returns pointers to the values of its columns, in
// the order of the type's list of columns.
type record[T any] interface {
	*T
	fields() []any
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
	return only(list[T, R](ctx, db, statement, args...))
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

// containing returns the pattern of a LIKE ... ESCAPE '!' condition for texts that contain
// text. The pattern of an empty text matches everything.
func containing(text string) string {
	return "%" + wildcards.Replace(storable(strings.TrimSpace(text))) + "%"
}

// texts returns the one column of a statement.
func texts(ctx context.Context, db querier, statement string, args ...any) (all []string, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		all = append(all, "")
		return rows.Scan(&all[len(all)-1])
	}, statement, args...)
	return all, err
}
