package records

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

// TestSteps: the golden file has the digest of each step, which never changes once it is
// released, and both databases have the steps 1, 2, 3 and so on.
func TestSteps(t *testing.T) {
	t.Parallel()
	digests, last := "", map[string]int{}
	for _, name := range expect.Value(fs.Glob(migrations, "migrations/*.sql"))(t) {
		digests += fmt.Sprintf("%s %x\n", filepath.Base(name), sha256.Sum256(expect.Value(migrations.ReadFile(name))(t)))
		of := strings.Split(name, ".")[1]
		for _, dialect := range []string{sqliteDialect.name, postgresDialect.name} {
			if of == dialect || of == "sql" {
				last[dialect]++
				expect.Same(t, name, fmt.Sprintf("migrations/%04d_", last[dialect]), name[:len("migrations/0000_")])
			}
		}
	}
	for dialect, count := range last {
		expect.Same(t, dialect, len(schema(dialect)), count)
	}
	path := filepath.Join("testdata", "steps.golden")
	for released := range strings.Lines(string(expect.Value(os.ReadFile(path))(t))) {
		if !strings.Contains(digests, released) {
			t.Fatalf("a released step has changed or is missing; -update does not rewrite its line: %s", released)
		}
	}
	golden.Check(t, path, []byte(digests))
}

func (at Options) TestMigrateAllOrNothing(t *testing.T) {
	store := openAt(t, at)
	db := store.db
	before, err := version(t.Context(), db)
	expect.OK(t, err)
	steps := schema(store.dialect.name)
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
