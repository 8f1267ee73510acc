package records

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/programs"
)

func TestCheckWrite(t *testing.T) { eachDatabase(t, testCheckWrite) }

func testCheckWrite(t *testing.T, at Options) {
	store := openAt(t, at)
	for range 3 {
		must(t, store.CheckWrite(t.Context()))
	}
	var rows int
	if err := store.db.QueryRow(`SELECT COUNT(*) FROM write_checks`).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("the checks have left %d rows (%v), want 1", rows, err)
	}
}

// TestDatabaseFileGone takes the files away from an open store: every write fails,
// because no program could read what it has written.
func TestDatabaseFileGone(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(path string) error{
		"deleted":              os.Remove,
		"moved":                func(path string) error { return os.Rename(path, path+".old") },
		"its log deleted":      func(path string) error { return os.Remove(path + "-wal") },
		"replaced by a backup": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			store := openStore(t, dir)
			fill(t, store, 1)
			must(t, remove(filepath.Join(dir, FileName)))
			settled := sample(0)
			settled.State = Sent
			for call, err := range map[string]error{
				"AddInquiry":    store.AddInquiry(t.Context(), sample(1)),
				"AddWorkspace":  store.AddWorkspace(t.Context(), draft(1)),
				"CheckWrite":    store.CheckWrite(t.Context()),
				"Ping":          store.Ping(t.Context()),
				"SettleInquiry": store.SettleInquiry(t.Context(), settled),
			} {
				if !errors.Is(err, ErrDatabaseGone) {
					t.Errorf("%s: %v, want %v", call, err, ErrDatabaseGone)
				}
			}
		})
	}
}

// TestPostgresReadOnly sets a server to read-only and back, in the ways in which
// a failover leaves it: as soon as it can be written to, every write works.
func TestPostgresReadOnly(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][2]string{
		"of the database": {`ALTER DATABASE NAME SET default_transaction_read_only = on`, `ALTER DATABASE NAME RESET default_transaction_read_only`},
		"of the user":     {`ALTER ROLE desk IN DATABASE NAME SET default_transaction_read_only = on`, `ALTER ROLE desk IN DATABASE NAME RESET default_transaction_read_only`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := newDatabase(t)
			database := address[strings.LastIndex(address, "/")+1 : strings.Index(address, "?")]
			store := openAt(t, Options{URL: address})
			operator := postgres.Get(t, programs.Postgres).URL // another database, which stays writable
			executeOn(t, operator, strings.Replace(statements[0], "NAME", database, 1))
			executeOn(t, operator, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+database+`'`)
			for n := range 2 * maxConns {
				if err := store.AddInquiry(t.Context(), sample(n)); err == nil {
					t.Fatal("a read-only server has stored an inquiry")
				}
			}
			if err := store.CheckWrite(t.Context()); err == nil {
				t.Error("CheckWrite finds a read-only server well")
			}
			if _, err := store.Inquiries(t.Context(), InquiryQuery{}); err != nil {
				t.Errorf("reading from a read-only server: %v", err)
			}
			executeOn(t, operator, strings.Replace(statements[1], "NAME", database, 1))
			for n := range 2 * maxConns {
				if err := store.AddInquiry(t.Context(), sample(n)); err != nil {
					t.Errorf("inquiry %d when it can be written to again: %v", n, err)
				}
			}
		})
	}
}

// TestPgBouncer runs everything that two instances do at once through a pooler that
// gives each transaction another server session.
func TestPgBouncer(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	executeOn(t, server.URL, `ALTER DATABASE postgres SET synchronous_commit = off`)
	at := Options{URL: programs.PgBouncer(t, server).URL}
	store := openAt(t, at)
	if store.dialect.session == "" {
		t.Error("the pooler was not noticed")
	}
	var commit string
	err := store.change(t.Context(), "test", func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRow(`SELECT current_setting('synchronous_commit')`).Scan(&commit)
	})
	if err != nil || commit != "on" {
		t.Errorf("a transaction has synchronous_commit %q, %v; want on", commit, err)
	}
	stock(t, store)
	if got := export(t, store); !strings.Contains(got, `"id":"inq_1"`) || !strings.Contains(got, `"day":"2026-11-23","calls":2`) {
		t.Errorf("the export is %s", got)
	}
	if err := store.CheckWrite(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := store.Prune(t.Context(), Retention{}, sample(2).CreatedAt.AddDate(1, 0, 0)); err != nil {
		t.Error(err)
	}
	testMigrateAtOnce(t, at)
}

// TestOpenFilesAreClosed takes away from others what an earlier umask has left them.
func TestOpenFilesAreClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	fill(t, store, 1)
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		must(t, os.Chmod(filepath.Join(dir, name), 0o666))
	}
	openStore(t, dir)
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm()&0o007 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
