package records

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestMigrateFromAnyStep(t *testing.T) {
	t.Parallel()
	steps := []string{`CREATE TABLE a (x TEXT)`, `CREATE TABLE b (x TEXT)`, `INSERT INTO b SELECT x FROM a`}
	for taken := range len(steps) + 1 {
		t.Run(fmt.Sprint(taken), func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, at Options) {
				store := openAt(t, at)
				if _, err := store.db.Exec(`DELETE FROM schema_versions`); err != nil {
					t.Fatal(err)
				}
				for _, through := range []int{taken, len(steps), len(steps)} {
					if _, err := store.migrate(t.Context(), steps[:through], false); err != nil {
						t.Fatal(err)
					}
				}
				if n, err := version(t.Context(), store.db); err != nil || n != len(steps) {
					t.Errorf("version = %d (%v), want %d", n, err, len(steps))
				}
			})
		})
	}
}

// TestMigrateAtOnce starts eight programs on an empty database.
func TestMigrateAtOnce(t *testing.T) { eachDatabase(t, testMigrateAtOnce) }

func testMigrateAtOnce(t *testing.T, at Options) {
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			store, err := Open(t.Context(), at)
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(store.AddInquiry(t.Context(), sample(n)), store.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got, err := openAt(t, at).Inquiries(t.Context(), Filter{}); err != nil || len(got) != 8 {
		t.Errorf("%d inquiries (%v), want 8", len(got), err)
	}
}

func TestMigrateAllOrNothing(t *testing.T) { eachDatabase(t, testMigrateAllOrNothing) }

func testMigrateAllOrNothing(t *testing.T, at Options) {
	store := openAt(t, at)
	db := store.db
	before, err := version(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := schema(store.dialect.name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.migrate(t.Context(), append(steps, `CREATE TABLE half (x TEXT)`, `CREATE NONSENSE`), false)
	if want := fmt.Sprintf("schema step %d", len(steps)+2); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want it to name %s", err, want)
	}
	if n, err := version(t.Context(), db); err != nil || n != before {
		t.Errorf("version = %d (%v), want %d", n, err, before)
	}
	if _, err := db.Exec(`SELECT x FROM half`); err == nil {
		t.Error("a step of a failed migration has stayed")
	}
}

// TestKeepSchema: a program that keeps the schema changes no table of another version,
// and creates the tables of an empty database.
func TestKeepSchema(t *testing.T) { eachDatabase(t, testKeepSchema) }

func testKeepSchema(t *testing.T, at Options) {
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
		if _, err := store.db.Exec(test.change); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), keeping)
		found, ok := errors.AsType[*SchemaError](err)
		if !ok || *found != (SchemaError{Found: test.found, Known: known}) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error = %v, want a SchemaError", name, err)
		}
		if n, err := version(t.Context(), store.db); err != nil || n != test.found {
			t.Errorf("%s: version = %d (%v) afterwards, want %d", name, n, err, test.found)
		}
		if _, err := store.db.Exec(test.undo); err != nil {
			t.Fatal(err)
		}
		for n := range known {
			if _, err := store.db.Exec(`INSERT INTO schema_versions VALUES ($1) ON CONFLICT (version) DO NOTHING`, n+1); err != nil {
				t.Fatal(err)
			}
		}
	}
	if done, err := Migrate(t.Context(), keeping); err != nil || done != (Migration{known, known}) {
		t.Errorf("Migrate = %+v (%v), want that nothing was to do", done, err)
	}
}

// TestMigrate brings a database of the first version up to date.
func TestMigrate(t *testing.T) { eachDatabase(t, testMigrate) }

func testMigrate(t *testing.T, at Options) {
	connect := openSQLite
	if at.URL != "" {
		connect = openPostgres
	}
	old, err := connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := schema(old.dialect.name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.migrate(t.Context(), steps[:1], false); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if done, err := Migrate(t.Context(), at); err != nil || done != (Migration{1, len(steps)}) {
		t.Errorf("Migrate = %+v (%v), want from 1 to %d", done, err, len(steps))
	}
	at.KeepSchema = true
	openAt(t, at)
}

// TestKeysSurviveTheirMigration: a key of the schema that knew no scope is found by
// the address of its inquiry.
func TestKeysSurviveTheirMigration(t *testing.T) { eachDatabase(t, testKeysSurviveTheirMigration) }

func testKeysSurviveTheirMigration(t *testing.T, at Options) {
	store := openAt(t, at)
	steps, err := schema(store.dialect.name)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`DROP TABLE inquiry_keys`, `DROP TABLE workspace_keys`, `DELETE FROM schema_versions WHERE version > 4`,
		`CREATE TABLE idempotency_keys (key_hash TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,
			inquiry_id TEXT NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE, created_at BIGINT NOT NULL)`,
	} {
		if _, err := store.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	inquiry := sample(1)
	inquiry.Email = "Ada@Example.com"
	key := NewKey("ada@example.COM", "k", []byte("request"))
	if err := store.AddInquiry(t.Context(), inquiry); err != nil {
		t.Fatal(err)
	}
	if _, err := store.db.Exec(`INSERT INTO idempotency_keys VALUES ($1, $2, $3, $4)`,
		key.Hash, key.Fingerprint, inquiry.ID, inquiry.CreatedAt.UnixMicro()); err != nil {
		t.Fatal(err)
	}
	if _, err := store.migrate(t.Context(), steps[:5], false); err != nil {
		t.Fatal(err)
	}
	if got, err := store.InquiryByKey(t.Context(), key, longAgo); err != nil || got.ID != inquiry.ID {
		t.Errorf("inquiry %q (%v), want %q", got.ID, err, inquiry.ID)
	}
}
