package records

import (
	"fmt"
	"slices"
	"strings"
)

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

// containing returns the pattern of a LIKE ... ESCAPE '!' condition for texts that contain
// text. The pattern of an empty text matches everything.
func containing(text string) string {
	return "%" + wildcards.Replace(storable(strings.TrimSpace(text))) + "%"
}
