package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// table describes once how values of one type are stored. Reading, storing, exporting
// and importing rows all follow it.
type table[T any] struct {
	name    string
	columns string             // separated by ", "
	fields  func(row *T) []any // pointers to the values of the columns, in their order

	// What an export and an import need.
	kind     string              // the type of its lines
	order    string              // columns that sort it, which together identify a row
	since    string              // the time by which an export chooses rows
	where    string              // further condition of an exported row; empty for all
	line     func(row *T) any    // pointer to the members of a line; nil for the row itself
	id       func(row *T) string // must not be empty in an import
	conflict string              // which imported rows are left out
	numbered bool                // an added row whose first column, a number, is taken gets the next number
	parent   string              // table of the row that the first column of an added row names; without that row none is added
}

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect returns the rows of a statement. fields are pointers to the values of its columns
// in a row. The list is nil only with an error.
func collect[T any](ctx context.Context, db querier, fields func(row *T) []any, statement string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		var row T
		if err := rows.Scan(fields(&row)...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// list returns the rows that the rest of a SELECT statement chooses.
func (t table[T]) list(ctx context.Context, db querier, rest string, args ...any) ([]T, error) {
	return collect(ctx, db, t.fields, `SELECT `+t.columns+` FROM `+t.name+` `+rest, args...)
}

// get returns the one row that the rest of a SELECT statement chooses, or ErrNotFound.
func (t table[T]) get(ctx context.Context, db querier, rest string, args ...any) (T, error) {
	return only(t.list(ctx, db, rest, args...))
}

// change returns the one row that an UPDATE or DELETE statement changed, or ErrNotFound.
func (t table[T]) change(ctx context.Context, tx *sql.Tx, statement string, args ...any) (T, error) {
	return only(collect(ctx, tx, t.fields, statement+` RETURNING `+t.columns, args...))
}

func only[T any](rows []T, err error) (row T, _ error) {
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return row, err
	}
	return rows[0], nil
}

// add adds a row, unless the clause onConflict says otherwise, and returns how many rows
// that added.
func (t table[T]) add(ctx context.Context, tx *sql.Tx, row T, onConflict string) (added int64, err error) {
	values := t.values(&row)
	marks := make([]string, len(values))
	for i := range marks {
		marks[i] = fmt.Sprint("$", i+1)
	}
	source := `VALUES (` + strings.Join(marks, ", ") + `)`
	rest := strings.Join(marks[1:], ", ")
	switch {
	case t.numbered:
		source = `SELECT CASE WHEN EXISTS (SELECT 1 FROM ` + t.name + ` WHERE number = $1) THEN MAX(number) + 1 ELSE $1 END, ` + rest + ` FROM ` + t.name + ` WHERE true`
	case t.parent != "":
		source = `SELECT id, ` + rest + ` FROM ` + t.parent + ` WHERE id = $1`
	}
	return affected(tx.ExecContext(ctx, `INSERT INTO `+t.name+` (`+t.columns+`) `+source+` `+onConflict, values...))
}

// values are the values of the columns of a row.
func (t table[T]) values(row *T) []any {
	values := t.fields(row)
	for i, field := range values {
		if _, itself := field.(driver.Valuer); !itself {
			values[i] = reflect.ValueOf(field).Elem().Interface()
		}
	}
	return values
}

// moment is a time as the tables keep it: microseconds since 1970.
type moment struct {
	at   *time.Time
	zero driver.Value // in place of the zero time
}

// required is a time that is never NULL.
func required(at *time.Time) moment { return moment{at, time.Time{}.UnixMicro()} }

// optional is a time that is NULL when it is zero.
func optional(at *time.Time) moment { return moment{at, nil} }

// micros is the value of a column that is NULL for the zero time.
func micros(at time.Time) moment { return optional(&at) }

// Value implements driver.Valuer.
func (m moment) Value() (driver.Value, error) {
	if m.at.IsZero() {
		return m.zero, nil
	}
	return m.at.UnixMicro(), nil
}

// Scan implements sql.Scanner.
func (m moment) Scan(value any) error {
	if *m.at = (time.Time{}); value == m.zero {
		return nil
	}
	number, ok := value.(int64)
	if !ok {
		return fmt.Errorf("%T is no time", value)
	}
	*m.at = time.UnixMicro(number).UTC()
	return nil
}

// Page chooses a part of a list. The zero value chooses all of it.
type Page struct {
	Limit  int // 0 means no limit
	Offset int
}

// clause is the end of a SELECT statement that reads only the page.
func (p Page) clause() string {
	if p.Limit <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d OFFSET %d", p.Limit, max(0, p.Offset))
}

// where is a WHERE clause that is built of conditions.
type where struct {
	conditions []string
	args       []any
}

// and adds a condition, in which each ? is the argument.
func (w *where) and(condition string, arg ...any) {
	w.args = append(w.args, arg...)
	w.conditions = append(w.conditions, "("+strings.ReplaceAll(condition, "?", fmt.Sprint("$", len(w.args)))+")")
}

// in adds the condition that a column has one of the values, if there are any.
func (w *where) in(column string, values []State) {
	var conditions []string
	for _, value := range values {
		w.args = append(w.args, value)
		conditions = append(conditions, fmt.Sprintf("%s = $%d", column, len(w.args)))
	}
	if len(conditions) > 0 {
		w.and(strings.Join(conditions, " OR "))
	}
}

// after adds the condition that a row comes after one with these values of columns.
func (w *where) after(columns string, values []any) {
	marks := make([]string, len(values))
	for i := range values {
		marks[i] = fmt.Sprint("$", len(w.args)+i+1)
	}
	w.args = append(w.args, values...)
	w.and(`(` + columns + `) > (` + strings.Join(marks, ", ") + `)`)
}

// contains adds the condition that one of the columns contains a text, whatever the case.
// SQLite knows the case of ASCII letters only.
func (w *where) contains(text string, columns ...string) {
	text = storable(strings.TrimSpace(text))
	if text == "" {
		return
	}
	likes := make([]string, len(columns))
	for i, column := range columns {
		likes[i] = `lower(` + column + `) LIKE lower(?) ESCAPE '\'`
	}
	w.and(strings.Join(likes, " OR "), "%"+wildcards.Replace(text)+"%")
}

// String is the clause.
func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(w.conditions, " AND ")
}

// wildcards are the characters with a meaning in a LIKE pattern.
var wildcards = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// storable is a text of others, such as a mail server's reply, in a form that every
// database takes: PostgreSQL has neither NUL nor invalid UTF-8.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
