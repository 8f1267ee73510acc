package records

import (
	"bytes"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMove takes the records from each database to each: the export of the copy is
// the export of the original, and a second import adds nothing.
func TestMove(t *testing.T) {
	t.Parallel()
	for from, original := range databases {
		for to, target := range databases {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				source, copied := openAt(t, original(t)), openAt(t, target(t))
				stock(t, source)
				for _, statement := range fillColumns {
					if _, err := source.db.Exec(statement); err != nil {
						t.Fatal(err)
					}
				}
				want := export(t, source)
				records := strings.Count(want, "\n") - 1
				for i, expected := range []Imported{{Added: records}, {Present: records}} {
					got, err := copied.Import(t.Context(), strings.NewReader(want))
					if err != nil || got != expected {
						t.Fatalf("import %d: %+v, %v; want %+v", i+1, got, err, expected)
					}
				}
				if diff := cmp.Diff(want, export(t, copied)); diff != "" {
					t.Errorf("export of the copy (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(moved(t, source), moved(t, copied)); diff != "" {
					t.Errorf("rows of the copy (-want +got):\n%s", diff)
				}
				// Numbers of new questions follow those that came.
				must(t, copied.addQuestion(t.Context(), Asked{Key: "new", Q: "New?", At: time.UnixMicro(1)}))
				questions, err := copied.Questions(t.Context())
				if err != nil || questions[len(questions)-1].Number != 3 {
					t.Errorf("questions = %+v, %v; want the new one to be number 3", questions, err)
				}
			})
		}
	}
}

// fillColumns give a value to the columns that stock leaves empty.
var fillColumns = []string{
	`UPDATE answered SET dismissed = true, helpful = 3, unhelpful = 2 WHERE number = 1`,
	`UPDATE inquiries SET retry_at = created_at + 1, done_at = created_at + 2 WHERE id = 'inq_0'`,
	`UPDATE notifications SET state = 'failed', tries = 2, detail = '503', settled_at = created_at + 1 WHERE id = 'ntf_0'`,
	`UPDATE questions SET dismissed = true WHERE number = 2`,
	`UPDATE workspaces SET name = 'Ada', segment = 'retail' WHERE id = 'wsp_0'`,
}

// notMoved are the tables whose rows an export leaves out, and why.
var notMoved = map[string]string{
	"schema_versions": "is of the database itself",
	"write_checks":    "is written over every second",
	"daily_counts":    "is for instances of an earlier version",
	"model_calls":     "is for instances of an earlier version",
	"inquiry_keys":    "lasts a day",
	"workspace_keys":  "lasts a day",
	"marks":           "lasts a day",
	"mark_secrets":    "lasts a day",
	"owner_keys":      "the owner signs in again",
}

// moved are the rows of all tables but those of notMoved and the limits of the current
// day, with every column but the lease of an inquiry.
func moved(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	list := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if s.dialect.name == "postgres" {
		list = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
	}
	rows, err := s.reads.Query(list)
	must(t, err)
	tables, err := collect(rows, func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
	must(t, err)
	all := map[string][]string{}
	for _, table := range tables {
		if notMoved[table] != "" {
			continue
		}
		if all[table] = dumpTable(t, s, table); len(all[table]) == 0 {
			t.Errorf("the table %s is empty: stock must fill it, or notMoved must say why an export leaves it out", table)
		}
	}
	return all
}

// dumpTable returns the rows of a table as text, sorted.
func dumpTable(t *testing.T, s *Store, table string) (lines []string) {
	t.Helper()
	rows, err := s.reads.Query(`SELECT * FROM ` + table)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	filled := map[string]bool{}
	for rows.Next() {
		values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		must(t, rows.Scan(targets...))
		row := map[string]string{}
		for i, column := range columns {
			filled[column] = filled[column] || !slices.Contains([]string{"", "0", "false"}, values[i].String)
		}
		for i, column := range columns {
			if strings.HasPrefix(column, "lease_") {
				continue
			}
			switch value := values[i].String; value { // booleans differ between the databases
			case "true":
				row[column] = "1"
			case "false":
				row[column] = "0"
			default:
				row[column] = value
			}
		}
		if !strings.HasPrefix(row["name"], limitPrefix) {
			lines = append(lines, fmt.Sprint(row)) // fmt sorts the keys of a map
		}
	}
	must(t, rows.Err())
	for _, column := range columns {
		if !filled[column] && !strings.HasPrefix(column, "lease_") {
			t.Errorf("%s.%s has its zero value in every row: fillColumns must fill it, or a move could lose it unnoticed", table, column)
		}
	}
	slices.Sort(lines)
	return lines
}

func export(t *testing.T, s *Store) string {
	t.Helper()
	var out bytes.Buffer
	must(t, s.Export(t.Context(), &out, time.Time{}))
	return out.String()
}

// TestImportBesideOthers keeps what is there, and gives an imported question another
// number when its own is taken.
func TestImportBesideOthers(t *testing.T) { eachDatabase(t, testImportBesideOthers) }

func testImportBesideOthers(t *testing.T, at Options) {
	store := openAt(t, at)
	must(t, store.addQuestion(t.Context(), Asked{Key: "mine", Q: "Mine?", At: time.UnixMicro(1)}))
	const line = `{"type":"question","number":1,"q":"Theirs?","unanswered":2,"unhelpful":0,"first_at":"2026-11-21T09:00:00Z","last_at":"2026-11-21T09:00:00Z","key":"theirs"}`
	if _, err := store.Import(t.Context(), strings.NewReader(`{"type":"export","version":1}`+"\n"+line)); err != nil {
		t.Fatal(err)
	}
	questions, err := store.Questions(t.Context())
	if err != nil || len(questions) != 2 || questions[0].Key != "mine" || questions[1].Key != "theirs" || questions[1].Number != 2 {
		t.Errorf("questions = %+v, %v", questions, err)
	}
}

// TestImportRefuses: a file with a fault in any line adds nothing.
func TestImportRefuses(t *testing.T) { eachDatabase(t, testImportRefuses) }

func testImportRefuses(t *testing.T, at Options) {
	const head, good = `{"type":"export","version":1}`, `{"type":"workspace","id":"wsp_1","state":"draft","business":"B","email":"b@example.com","created_at":"2026-11-21T09:00:00Z"}`
	store := openAt(t, at)
	for name, test := range map[string]struct{ text, message string }{
		"empty":               {"", "the file is empty"},
		"no export":           {good, "line 1: is not the first line of an export"},
		"another version":     {`{"type":"export","version":2}`, "line 1: the export has version 2"},
		"no JSON":             {head + "\n" + good + "\n{", "line 3: "},
		"an unknown type":     {head + "\n" + good + "\n" + `{"type":"secret"}`, `line 3: "secret" is no type of record`},
		"an unknown member":   {head + "\n" + good + "\n" + `{"type":"workspace","id":"x","colour":"red"}`, "line 3: "},
		"no id":               {head + "\n" + good + "\n" + `{"type":"inquiry","name":"Ada"}`, "line 3: the record has no id"},
		"an impossible state": {head + "\n" + good + "\n" + `{"type":"workspace","id":"wsp_2","state":"live","business":"B","email":"b@example.com","created_at":"2026-11-21T09:00:00Z"}`, "line 3: "},
		"no day":              {head + "\n" + good + "\n" + `{"type":"model_calls","day":"today","calls":1}`, "line 3: "},
	} {
		if _, err := store.Import(t.Context(), strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v, want an error with %q", name, err, test.message)
		}
	}
	if kept, err := store.Workspaces(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("a refused import has added %v (%v)", kept, err)
	}
}
