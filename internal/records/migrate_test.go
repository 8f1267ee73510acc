package records

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func (at Options) TestMigrateAllOrNothing(t *testing.T) {
	store := openAt(t, at)
	db := store.db
	before, err := version(t.Context(), db)
	expect.OK(t, err)
	steps, err := schema(store.dialect.name)
	expect.OK(t, err)
	_, err = store.migrate(t.Context(), append(steps, `CREATE TABLE half (x TEXT)`, `CREATE NONSENSE`), false)
	if want := fmt.Sprintf("schema step %d", len(steps)+2); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want it to name %s", err, want)
	}
	expect.Same(t, "version", before, expect.Value(version(t.Context(), db))(t))
	if _, err := db.Exec(`SELECT x FROM half`); err == nil {
		t.Error("a step of a failed migration has stayed")
	}
}

// TestKeepSchema: a program that keeps the schema changes no table of another version,
// and creates the tables of an empty database.
func (at Options) TestKeepSchema(t *testing.T) {
	keeping := at
	keeping.KeepSchema = true
	store := openAt(t, keeping)
	known, err := version(t.Context(), store.db)
	if err != nil || known == 0 {
		t.Fatalf("version = %d (%v) after the first start", known, err)
	}
	openAt(t, keeping) // and again, now that the tables are there
	for name, test := range map[string]struct {
		change, undo string
		found        int
	}{
		"older": {`DELETE FROM schema_versions WHERE version > 1`, ``, 1},
		"newer": {`INSERT INTO schema_versions VALUES (9999)`, `DELETE FROM schema_versions WHERE version = 9999`, 9999},
	} {
		expect.OK(t, expect.ErrorOf(store.db.Exec(test.change)))
		_, err := Open(t.Context(), keeping)
		found, ok := errors.AsType[*SchemaError](err)
		if !ok || *found != (SchemaError{Found: test.found, Known: known}) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error = %v, want a SchemaError", name, err)
		}
		expect.Same(t, name+": version afterwards", test.found, expect.Value(version(t.Context(), store.db))(t))
		expect.OK(t, expect.ErrorOf(store.db.Exec(test.undo)))
		for n := range known {
			expect.OK(t, expect.ErrorOf(store.db.Exec(`INSERT INTO schema_versions VALUES ($1) ON CONFLICT (version) DO NOTHING`, n+1)))
		}
	}
	if done, err := Migrate(t.Context(), keeping); err != nil || done != (Migration{known, known}) {
		t.Errorf("Migrate = %+v (%v), want that nothing was to do", done, err)
	}
}

// openSchema opens a database with the first steps of the schema.
func openSchema(t *testing.T, at Options, count int) *Store {
	t.Helper()
	connect := openSQLite
	if at.URL != "" {
		connect = openPostgres
	}
	old := expect.Value(connect(t.Context(), at))(t)
	t.Cleanup(func() { old.Close() }) // again
	steps := expect.Value(schema(old.dialect.name))(t)
	expect.OK(t, expect.ErrorOf(old.migrate(t.Context(), steps[:count], false)))
	return old
}

// TestMigrateSchema11 opens a database that was written by the program of schema 11, when
// three tables counted by day: every limit counts on. That every record is there is shown by
// TestUpgrade of test/faults.
func (at Options) TestMigrateSchema11(t *testing.T) {
	before := openSchema(t, at, 11)
	rows, err := os.ReadFile("testdata/schema11.sql")
	expect.OK(t, err)
	expect.OK(t, expect.ErrorOf(before.db.Exec(string(rows)+before.dialect.renumber)))
	store := openAt(t, at)
	const day = 20_780
	var limits string
	list, err := dayTotals.list(t.Context(), store.reads, `WHERE day = $1 AND name LIKE 'limit %' ORDER BY name`, day)
	for _, c := range list {
		limits += fmt.Sprint(c.Name, " ", c.Count, ", ")
	}
	if want := "limit model 192.0.2.1 2, limit notice sends 1, limit rows 7, limit sends 1, limit sends 192.0.2.0/24 1, "; err != nil || limits != want {
		t.Errorf("limits = %q, %v; want %q", limits, err, want)
	}
	if allowed, err := store.AddModelCall(t.Context(), day, 2); err != nil || allowed {
		t.Errorf("a third call of the model: %v, %v; want the cap reached", allowed, err)
	}
	if allowed, err := store.AddClientModelCall(t.Context(), day, "192.0.2.1", 3); err != nil || !allowed {
		t.Errorf("a third call of a client: %v, %v; want it allowed", allowed, err)
	}
	if found, err := store.InquiryByKey(t.Context(), NewKey("ada@example.com", "key", []byte("request")), longAgo); err != nil || found.ID != "inq_2" {
		t.Errorf("by its key: %q, %v; want inq_2", found.ID, err)
	}
	addAll(t, store, Batch{Questions: []Question{{Key: "a", Q: "A", Unanswered: 1, LastAt: noon}, {Key: "c", Q: "C?", Unanswered: 1, LastAt: noon}}})
	open, err := store.Questions(t.Context())
	if err != nil || len(open) != 2 || open[0].Number != 1 || open[1].Number != 3 {
		t.Errorf("open questions = %+v, %v; want the numbers 1 and 3", open, err)
	}
	if store.dialect.name != "postgres" {
		return
	}
	// An instance of that program that still runs stores and counts.
	for _, statement := range []string{
		`INSERT INTO daily_counts (day, name, count) VALUES (20780, 'sends', 1) ON CONFLICT (day, name) DO UPDATE SET count = daily_counts.count + 1 WHERE daily_counts.count < 9`,
		`INSERT INTO day_totals (day, name, count) VALUES (20780, 'answered', 1) ON CONFLICT (day, name) DO UPDATE SET count = day_totals.count + excluded.count`,
		`INSERT INTO model_calls (day, calls, created_at) SELECT CASE WHEN MAX(day) > 20780 THEN MAX(day) ELSE 20780 END, 1, 1 FROM model_calls WHERE true
			ON CONFLICT (day) DO UPDATE SET calls = model_calls.calls + 1 WHERE model_calls.calls < 9`,
		`INSERT INTO questions (number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at)
			VALUES (nextval('question_numbers'), 'd', 'D?', 1, 0, '', false, 1, 1)`,
	} {
		if n, err := affected(store.db.Exec(statement)); err != nil || n != 1 {
			t.Errorf("%s: %d rows, %v", statement, n, err)
		}
	}
}
