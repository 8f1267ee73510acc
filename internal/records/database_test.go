package records

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

var postgres programs.Shared

func TestMain(m *testing.M) {
	code := m.Run()
	postgres.Close()
	os.Exit(code)
}

// TestDatabases runs the methods of Options on SQLite and on PostgreSQL.
func TestDatabases(t *testing.T) {
	t.Parallel()
	options := reflect.TypeFor[Options]()
	for i := range options.NumMethod() {
		if test, ok := options.Method(i).Func.Interface().(func(Options, *testing.T)); ok {
			t.Run(options.Method(i).Name, func(t *testing.T) {
				t.Parallel()
				for name, at := range databases {
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						test(at(t), t)
					})
				}
			})
		}
	}
}

var databases = map[string]func(t testing.TB) Options{
	"sqlite":   func(t testing.TB) Options { return Options{Dir: t.TempDir()} },
	"postgres": func(t testing.TB) Options { return Options{URL: newDatabase(t)} },
}

var made atomic.Int32

func newDatabase(t testing.TB) string {
	t.Helper()
	server := postgres.Get(t, programs.Postgres)
	name := fmt.Sprint("test", made.Add(1))
	executeOn(t, server.URL, `CREATE DATABASE `+name)
	return strings.Replace(server.URL, "/postgres?", "/"+name+"?", 1)
}

func session(t testing.TB, address string) *sql.DB {
	t.Helper()
	db := expect.Value(sql.Open("pgx", address))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

const unlimited = 1 << 30

func (s *Store) addQuestion(ctx context.Context, asked Question) error {
	if asked.Unhelpful == 0 {
		asked.Unanswered = max(1, asked.Unanswered)
	}
	return s.AddBatch(ctx, Batch{Questions: []Question{asked}}, unlimited)
}

func (s *Store) addFeedback(ctx context.Context, feedback Feedback) error {
	return s.AddBatch(ctx, Batch{Feedback: []Feedback{feedback}}, unlimited)
}

func executeOn(t testing.TB, address, statement string) {
	t.Helper()
	expect.Value(session(t, address).ExecContext(t.Context(), statement))(t)
}

func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	return openAt(t, Options{Dir: dir})
}

func openAt(t testing.TB, at Options) *Store {
	t.Helper()
	store := expect.Value(Open(t.Context(), at))(t)
	t.Cleanup(func() { expect.Error(t, "close", store.Close(), nil) })
	return store
}

func textsOf(t *testing.T, db *sql.DB, statement string) []string {
	t.Helper()
	return expect.Value(texts(t.Context(), db, statement))(t)
}

func questionsOf(t *testing.T, s *Store) []Question {
	t.Helper()
	return expect.Value(s.Questions(t.Context()))(t)
}

func prune(t *testing.T, s *Store, before time.Time) int64 {
	t.Helper()
	return expect.Value(s.Prune(t.Context(), Retention{}, before))(t)
}

// The owner reads feedback in an export.
func feedbackOf(t *testing.T, s *Store) []Feedback {
	t.Helper()
	return expect.Value(feedbackTable.find(t.Context(), s.reads, `ORDER BY created_at DESC, id DESC`))(t)
}
