package records

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// table describes once how values of one type are stored. Reading, storing, exporting,
// importing, erasing and deleting rows all follow it.
//
// A field of T with the tag db:"name" is a column. Behind the name may stand:
//
//	null      the zero time is NULL; in other columns it is 0
//	required  an import refuses a row without it
//	text      a search reads the column, and an erasure looks for addresses in it
//
// The columns of a field with the tag db:"*" are those of its type.
type table[T any] struct {
	name         string
	columns      []column
	names, texts []string // of the columns, and of those with texts that people wrote

	// What an export and an import need.
	kind     string           // the type of its lines
	order    string           // columns that sort it, which together identify a row
	since    string           // the time by which an export chooses rows
	where    string           // further condition of an exported row; empty for all
	line     func(row *T) any // pointer to the members of a line but the type; nil for the row itself
	conflict string           // what becomes of an imported row that is there already
	numbered bool             // an added row whose first column, a number, is taken gets the next number
	sequence string           // of the numbers, on PostgreSQL
	key      string           // columns that identify a row for merge
	// table of the row that the first column of an added row names; without that row none is added
	parent string
}

// newTable completes a description: without further notice rows are sorted by their time
// and id, and what is there already is left as it is.
func newTable[T any](t table[T]) table[T] {
	t.columns = columnsOf(reflect.TypeFor[T]())
	for _, c := range t.columns {
		t.names = append(t.names, c.name)
		if c.text {
			t.texts = append(t.texts, c.name)
		}
	}
	t.order, t.since = cmp.Or(t.order, "created_at, id"), cmp.Or(t.since, "created_at")
	t.conflict = cmp.Or(t.conflict, `ON CONFLICT DO NOTHING`)
	if t.line == nil {
		t.line = func(row *T) any { return row }
	}
	return t
}

// column is a field of a row.
type column struct {
	name                 string
	index                []int // of the field, as in reflect.StructField
	null, required, text bool
}

func columnsOf(row reflect.Type, path ...int) (columns []column) {
	for i := range row.NumField() {
		field, index := row.Field(i), append(slices.Clone(path), i)
		options := strings.Split(field.Tag.Get("db"), ",")
		has := func(option string) bool { return slices.Contains(options[1:], option) }
		switch options[0] {
		case "":
		case "*":
			columns = append(columns, columnsOf(field.Type, index...)...)
		default:
			columns = append(columns, column{options[0], index, has("null"), has("required"), has("text")})
		}
	}
	return columns
}

// in returns a pointer to the value of the column in a row.
func (c column) in(row reflect.Value) any {
	field := row.FieldByIndex(c.index).Addr().Interface()
	if at, ok := field.(*time.Time); ok {
		return moment{at, c.null}
	}
	return field
}

// pointers are those to the values of the columns in a row.
func pointers[T any](columns []column, row *T) []any {
	if columns == nil {
		return []any{row}
	}
	all := make([]any, len(columns))
	for i, c := range columns {
		all[i] = c.in(reflect.ValueOf(row).Elem())
	}
	return all
}

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect returns the rows of a statement, whose columns are those of T in their order; a T
// that is no struct is the one column. The list is nil only with an error.
func collect[T any](ctx context.Context, db querier, statement string, args ...any) ([]T, error) {
	ctx, cancel := bounded(ctx, listTimeout)
	defer cancel()
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var columns []column
	if row := reflect.TypeFor[T](); row.Kind() == reflect.Struct {
		columns = columnsOf(row)
	}
	all := []T{}
	for rows.Next() {
		var row T
		if err := rows.Scan(pointers(columns, &row)...); err != nil {
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
	return collect[T](ctx, db, `SELECT `+t.all()+` FROM `+t.name+` `+rest, args...)
}

// all are the names of the columns, separated by commas.
func (t table[T]) all() string { return strings.Join(t.names, ", ") }

// get returns the one row that the rest of a SELECT statement chooses, or ErrNotFound.
func (t table[T]) get(ctx context.Context, db querier, rest string, args ...any) (T, error) {
	return only(t.list(ctx, db, rest, args...))
}

// change returns the one row that an UPDATE or DELETE statement changed, or ErrNotFound.
func (t table[T]) change(ctx context.Context, tx *sql.Tx, statement string, args ...any) (T, error) {
	return only(collect[T](ctx, tx, statement+` RETURNING `+t.all(), args...))
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
		source = `SELECT CASE WHEN EXISTS (SELECT 1 FROM ` + t.name +
			` WHERE number = $1) THEN MAX(number) + 1 ELSE $1 END, ` + rest + ` FROM ` + t.name + ` WHERE true`
	case t.parent != "":
		source = `SELECT id, ` + rest + ` FROM ` + t.parent + ` WHERE id = $1`
	}
	return affected(tx.ExecContext(ctx, `INSERT INTO `+t.name+` (`+t.all()+`) `+source+` `+onConflict, values...))
}

// castTypes are the types of the columns by the kinds of their values.
var castTypes = map[reflect.Kind]string{reflect.Int64: "BIGINT", reflect.Bool: "BOOLEAN",
	reflect.Float64: "DOUBLE PRECISION", reflect.String: "TEXT"}

// merge adds rows that a condition chooses to a numbered table, each under a new number, and
// updates those that are there already. It returns how many are new; with more than room of
// them it writes nothing and returns ErrDailyRows. In the clauses, new is a given row and
// old the stored one. All instances take the rows in the order of their keys, so no two
// wait for each other.
func (t table[T]) merge(ctx context.Context, tx *sql.Tx, d dialect, rows []T, room int, chosen,
	update string) (added int, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	values := make([][]any, len(rows))
	for i := range rows {
		values[i] = t.values(&rows[i])
	}
	text, err := json.Marshal(values)
	if err != nil {
		return 0, err
	}
	columns := make([]string, len(t.columns))
	for i, c := range t.columns {
		columns[i] = fmt.Sprintf(`CAST(value ->> %d AS %s) AS %s`, i, castTypes[reflect.TypeOf(values[0][i]).Kind()], c.name)
	}
	source := ` FROM (SELECT ` + strings.Join(columns, ", ") + ` FROM ` + d.rows + `) AS new LEFT JOIN ` + t.name +
		` AS old USING (` + t.key + `) WHERE (` + chosen + `)`
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*)`+source+` AND old.number IS NULL`,
		string(text)).Scan(&added); err != nil {
		return 0, err
	}
	if added > max(0, room) {
		return 0, ErrDailyRows
	}
	number := strings.ReplaceAll(d.number, "?", t.sequence)
	_, err = tx.ExecContext(ctx, `INSERT INTO `+t.name+` (`+t.all()+`) SELECT `+number+`, new.`+
		strings.Join(t.names[1:], ", new.")+source+
		` ORDER BY `+t.key+` ON CONFLICT (`+t.key+`) DO UPDATE SET `+update, string(text))
	return added, err
}

// values are the values of the columns of a row.
func (t table[T]) values(row *T) []any {
	values := pointers(t.columns, row)
	for i, field := range values {
		values[i], _ = driver.DefaultParameterConverter.ConvertValue(field) // every type of a field is a kind that it knows
	}
	return values
}

// moment is a time as the tables keep it: microseconds since 1970.
type moment struct {
	at   *time.Time
	null bool // the zero time is NULL, and otherwise 0
}

// micros is a column that is NULL for the zero time.
func micros(at *time.Time) moment { return moment{at, true} }

// Value implements driver.Valuer.
func (m moment) Value() (driver.Value, error) {
	switch {
	case !m.at.IsZero():
		return m.at.UnixMicro(), nil
	case m.null:
		return nil, nil
	}
	return int64(0), nil
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
	text = storable(strings.TrimSpace(text))
	if text == "" {
		return
	}
	likes := make([]string, len(columns))
	for i, column := range columns {
		likes[i] = `lower(` + column + `) LIKE lower(?) ESCAPE '\'`
	}
	w.and(strings.Join(likes, " OR "), slices.Repeat([]any{"%" + wildcards.Replace(text) + "%"}, len(columns))...)
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
