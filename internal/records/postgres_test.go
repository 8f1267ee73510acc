package records

import (
	"context"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

func within(t *testing.T, limit time.Duration, says string, call func() error) {
	t.Helper()
	begun := time.Now()
	expect.Says(t, "a call that waits", call(), says)
	expect.AtMost(t, says, limit+2*time.Second, time.Since(begun))
}

// Calls and a start end within their bounds, and the next call works again.
func TestPostgresFrozen(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	store := openAt(t, Options{URL: server.URL})
	server.Freeze()
	within(t, listTimeout, "list workspaces", func() error { return expect.ErrorOf(store.Workspaces(t.Context())) })
	within(t, CallTimeout, "read inquiry", func() error { return expect.ErrorOf(store.Inquiry(t.Context(), "inq_0")) })
	within(t, CallTimeout, "add workspace", func() error {
		return expect.ErrorOf(store.AddWorkspace(t.Context(), draft(0), Key{}))
	})
	within(t, startTimeout, server.Addr, func() error {
		return expect.ErrorOf(Open(t.Context(), Options{URL: server.URL}))
	})
	server.Thaw()
	addWorkspace(t, store, draft(1))
}

// A call waits for another session's lock for a bounded time and says why it failed.
func TestPostgresLocks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lock  string
		limit time.Duration
		call  func(ctx context.Context, store *Store) error
	}{
		"a row": {`UPDATE inquiries SET detail = 'held'`, CallTimeout, func(ctx context.Context, store *Store) error {
			return store.SettleInquiry(ctx, in(Sent, 0))
		}},
		"a table": {`LOCK TABLE feedback`, CallTimeout, func(ctx context.Context, store *Store) error {
			return store.addFeedback(ctx, Feedback{})
		}},
		"the questions": {`LOCK TABLE questions`, CallTimeout, func(ctx context.Context, store *Store) error {
			return store.addQuestion(ctx, Question{Key: "x", Q: "x"})
		}},
		"the schema": {postgresDialect.turn, 5 * time.Second, func(ctx context.Context, store *Store) error {
			return expect.ErrorOf(store.migrate(ctx, append(schema(store.dialect.name), `SELECT 1`), false))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := Options{URL: newDatabase(t)}
			store := openAt(t, at)
			fill(t, store, 1)
			held := expect.Value(session(t, at.URL).Begin())(t)
			expect.Value(held.Exec(test.lock))(t)
			within(t, test.limit, "lock timeout", func() error { return test.call(t.Context(), store) })
			expect.OK(t, held.Rollback())
			if err := test.call(t.Context(), store); name != "the schema" && err != nil {
				t.Errorf("after the lock: %v", err)
			}
		})
	}
}

func commits(t *testing.T, store *Store) (setting string) {
	t.Helper()
	expect.OK(t, store.change(t.Context(), "test", func(tx transaction) error {
		return tx.QueryRow(`SELECT current_setting('synchronous_commit')`).Scan(&setting)
	}))
	return setting
}

// Commits are on the disk and counts are exact all the same.
func TestPostgresUnusualSettings(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{"off": "on", "remote_apply": "remote_apply"} {
		t.Run("synchronous_commit "+setting, func(t *testing.T) {
			t.Parallel()
			at := Options{URL: newDatabase(t)}
			name := at.URL[strings.LastIndex(at.URL, "/")+1 : strings.Index(at.URL, "?")]
			for _, odd := range []string{
				"synchronous_commit = " + setting, "default_transaction_isolation = serializable",
				"timezone = 'Asia/Kathmandu'", "standard_conforming_strings = off",
			} {
				executeOn(t, at.URL, "ALTER DATABASE "+name+" SET "+odd)
			}
			expect.Same(t, "synchronous_commit", want, commits(t, openAt(t, at)))
			at.TestModelCallsAtOnce(t)
			at.TestBatchesAtOnce(t)
		})
	}
}

// A pooler gives each transaction another session of the server.
func TestPgBouncer(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	executeOn(t, server.URL, `ALTER DATABASE postgres SET synchronous_commit = off`)
	at := Options{URL: programs.PgBouncer(t, server).URL}
	store := openAt(t, at)
	expect.Same(t, "synchronous_commit", "on", commits(t, store))
	stock(t, store)
	expect.Holds(t, "the export", export(t, store), `"id":"inq_1"`, `"day":"2026-11-23","name":"model_calls","count":2`)
	expect.OK(t, store.CheckWrite(t.Context()))
	expect.Value(store.db.Exec(`UPDATE inquiries SET state = 'sent'`))(t) // a pending one is kept
	prune(t, store, sample(2).CreatedAt.AddDate(1, 0, 0))
	at.TestManyWriters(t)
	at.MayBeAway = true
	misspelt := Options{URL: strings.Replace(at.URL, "/postgres?", "/misspelt?", 1), MayBeAway: true}
	expect.Says(t, "a database that PgBouncer lacks", expect.ErrorOf(Open(t.Context(), misspelt)), "bouncer config error")
	server.Stop()
	openAt(t, at) // PgBouncer waits for the server
	openAt(t, at) // it refuses at once
}
