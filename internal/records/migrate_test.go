package records

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func (at Options) TestMigrateAllOrNothing(t *testing.T) {
	store := openAt(t, at)
	db := store.db
	before := expect.Value(version(t.Context(), db))(t)
	steps := schema(store.dialect.name)
	_, err := store.migrate(t.Context(), append(steps, `CREATE TABLE half (x TEXT)`, `CREATE NONSENSE`), false)
	expect.Says(t, "migrate", err, fmt.Sprintf("schema step %d", len(steps)+2))
	expect.Same(t, "version", before, expect.Value(version(t.Context(), db))(t))
	if _, err := db.Exec(`SELECT x FROM half`); err == nil {
		t.Error("a step of a failed migration has stayed")
	}
}

// Tables of an empty database are made, and one of another version is refused unchanged.
func (at Options) TestKeepSchema(t *testing.T) {
	keeping := at
	keeping.KeepSchema = true
	store := openAt(t, keeping)
	openAt(t, keeping) // and again, now that the tables are there
	steps := schema(store.dialect.name)
	known := len(steps)
	refused := func(name string, err error, want SchemaError) {
		found, ok := errors.AsType[*SchemaError](err)
		if !ok || *found != want || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error = %v, want a SchemaError", name, err)
		}
		expect.Same(t, name+": version afterwards", want.Found, expect.Value(version(t.Context(), store.db))(t))
	}
	_, err := store.migrate(t.Context(), append(steps, `CREATE TABLE more (x TEXT)`), true)
	refused("older", err, SchemaError{Found: known, Known: known + 1})
	expect.Value(store.db.Exec(`INSERT INTO schema_versions VALUES (9999)`))(t)
	_, err = Open(t.Context(), keeping)
	refused("newer", err, SchemaError{Found: 9999, Known: known})
	expect.Value(store.db.Exec(`DELETE FROM schema_versions WHERE version = 9999`))(t)
	expect.Same(t, "Migrate", Migration{known, known}, expect.Value(Migrate(t.Context(), keeping))(t))
}
