package records

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// reader is what a database and a transaction have in common for reading rows.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// collect reads all rows and closes them.
func collect[T any](rows *sql.Rows, scan func(*sql.Rows) (T, error)) ([]T, error) {
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
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

// wildcards are the characters with a meaning in a LIKE pattern.
var wildcards = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// pattern is the LIKE pattern of texts that contain a text; empty for the empty text.
func pattern(text string) string {
	if text == "" {
		return ""
	}
	return "%" + wildcards.Replace(text) + "%"
}

// contains is the condition that one of the columns matches the pattern in a parameter,
// whatever the case, or that the pattern is empty. SQLite knows the case of ASCII letters
// only.
func contains(parameter string, columns ...string) string {
	conditions := []string{parameter + " = ''"}
	for _, column := range columns {
		conditions = append(conditions, fmt.Sprintf(`lower(%s) LIKE lower(%s) ESCAPE '\'`, column, parameter))
	}
	return "(" + strings.Join(conditions, " OR ") + ")"
}

// micros is a time as the tables keep it: NULL for the zero time.
func micros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// storable is a text of others, such as a mail server's reply, in a form that every
// database takes: PostgreSQL has neither NUL nor invalid UTF-8.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
