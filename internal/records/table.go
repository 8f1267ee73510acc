package records

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"
)

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
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

// table reads and adds rows by the rest of their statements.
type table[T any, R record[T]] struct {
	name, columns string
	texts         []string
	insert        func(ctx context.Context, tx *sql.Tx, row T) (added int64, err error)
}

func (t table[T, R]) list(ctx context.Context, db querier, rest string, args ...any) ([]T, error) {
	return list[T, R](ctx, db, `SELECT `+t.columns+` FROM `+t.name+` `+rest, args...)
}

func (t table[T, R]) get(ctx context.Context, db querier, rest string, args ...any) (T, error) {
	return only(t.list(ctx, db, rest, args...))
}

// change returns the one row that an UPDATE or DELETE statement changed, or ErrNotFound.
func (t table[T, R]) change(ctx context.Context, tx *sql.Tx, statement string, args ...any) (T, error) {
	return get[T, R](ctx, tx, statement+` RETURNING `+t.columns, args...)
}

// moment is a time as the tables keep it: microseconds since 1970, and NULL for the zero time.
type moment struct{ at *time.Time }

// micros is a column with a time. An argument for a column that is NOT NULL is at.UnixMicro().
func micros(at *time.Time) moment { return moment{at} }

// Value implements driver.Valuer.
func (m moment) Value() (driver.Value, error) {
	if m.at.IsZero() {
		return nil, nil
	}
	return m.at.UnixMicro(), nil
}

// Scan implements sql.Scanner.
func (m moment) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*m.at = time.Time{}
	case int64:
		*m.at = time.UnixMicro(value).UTC()
		if value == 0 {
			*m.at = time.Time{}
		}
	default:
		return fmt.Errorf("%T is no time", value)
	}
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

// and adds a condition, in which each ? is the next argument.
func (w *where) and(condition string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprint("$", len(w.args)), 1)
	}
	w.conditions = append(w.conditions, "("+condition+")")
}

// placeholders is a list of n arguments in a condition.
func placeholders(n int) string { return `(?` + strings.Repeat(`, ?`, n-1) + `)` }

// contains adds the condition that one of the columns contains a text, whatever the case.
// SQLite knows the case of ASCII letters only.
func (w *where) contains(text string, columns ...string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	likes := make([]string, len(columns))
	for i, column := range columns {
		likes[i] = `lower(` + column + `) LIKE lower(?) ESCAPE '!'`
	}
	w.and(strings.Join(likes, " OR "), slices.Repeat([]any{containing(text)}, len(columns))...)
}

// String is the clause.
func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(w.conditions, " AND ")
}

// wildcards are the characters with a meaning in a LIKE pattern.
var wildcards = strings.NewReplacer(`!`, `!!`, `%`, `!%`, `_`, `!_`)

// storable is a text of others, such as a mail server's reply, in a form that every
// database takes: PostgreSQL has neither NUL nor invalid UTF-8.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
