package records

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openStore opens the records of a folder until the test ends.
func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	store, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func TestOpenMakesAPrivateDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c#d%41", "data") // what an address would have to escape
	store := openStore(t, dir)
	if err := store.AddInquiry(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{".": 0o700, FileName: 0o600, FileName + "-wal": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("mode of %s = %v, want %v", name, got, want)
		}
	}
}

// TestDurability reads back what the settings of the connection promise.
func TestDurability(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	for pragma, want := range map[string]string{
		"journal_mode": "wal",
		"synchronous":  "2", // FULL
		"busy_timeout": "5000",
		"foreign_keys": "1",
	} {
		var got string
		if err := store.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q (%v), want %q", pragma, got, err, want)
		}
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.AddInquiry(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := openStore(t, dir).Inquiries(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Inquiry{sample(1)}, got); diff != "" {
		t.Errorf("after reopening (-want +got):\n%s", diff)
	}
}

// TestManyWriters: two programs open one new file and write to it at once.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	const programs, writers, each = 2, 4, 10
	dir := t.TempDir()
	var wait sync.WaitGroup
	for program := range programs {
		wait.Go(func() {
			store, err := Open(t.Context(), Options{Dir: dir})
			if err != nil {
				t.Error(err)
				return
			}
			defer store.Close()
			var inner sync.WaitGroup
			for writer := range writers {
				inner.Go(func() {
					for i := range each {
						n := (program*writers+writer)*each + i
						if err := store.AddInquiry(t.Context(), sample(n)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			inner.Wait()
		})
	}
	wait.Wait()
	got, err := openStore(t, dir).Inquiries(t.Context(), Filter{})
	if err != nil || len(got) != programs*writers*each {
		t.Errorf("%d inquiries (%v), want %d", len(got), err, programs*writers*each)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		prepare func(path string) error
		message string
	}{
		{"no database", func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no ", 500)), 0o600) }, "not a database"},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, "is a directory"},
		{"written by a newer program", func(path string) error {
			return execute(path, versionTable+`; INSERT INTO schema_versions VALUES (9999)`)
		}, "newer frontdesk"},
		{"read-only", func(path string) error { return os.WriteFile(path, nil, 0o400) }, "permission denied"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.name == "read-only" && os.Geteuid() == 0 {
				t.Skip("nothing is read-only to root")
			}
			path := filepath.Join(t.TempDir(), FileName)
			if err := test.prepare(path); err != nil {
				t.Fatal(err)
			}
			store, err := Open(t.Context(), Options{Dir: filepath.Dir(path)})
			if err == nil {
				store.Close()
				t.Fatal("it opens")
			}
			for _, want := range []string{path, test.message} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want it to say %q", err, want)
				}
			}
		})
	}
}

// execute runs statements on a database of its own.
func execute(path, statements string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statements)
	return err
}

func TestMigrateFromAnyStep(t *testing.T) {
	t.Parallel()
	steps := []string{`CREATE TABLE a (x TEXT)`, `CREATE TABLE b (x TEXT)`, `INSERT INTO b SELECT x FROM a`}
	for taken := range len(steps) + 1 {
		t.Run(fmt.Sprint(taken), func(t *testing.T) {
			t.Parallel()
			db := openStore(t, t.TempDir()).db
			if _, err := db.Exec(`DELETE FROM schema_versions`); err != nil {
				t.Fatal(err)
			}
			for _, through := range []int{taken, len(steps), len(steps)} {
				if err := migrate(t.Context(), db, steps[:through]); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := version(t.Context(), db); err != nil || n != len(steps) {
				t.Errorf("version = %d (%v), want %d", n, err, len(steps))
			}
		})
	}
}

func TestMigrateAllOrNothing(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir()).db
	before, err := version(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	err = migrate(t.Context(), db, append(steps, `CREATE TABLE half (x TEXT)`, `CREATE NONSENSE`))
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

func TestPingAndClose(t *testing.T) {
	t.Parallel()
	store, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("Ping: %v", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	_, inquiry := store.Inquiry(t.Context(), "inq_1")
	_, claimed := store.ClaimInquiry(t.Context(), "inq_1", Lease{}, leaseEnd)
	_, interrupted := store.ClaimInterrupted(t.Context(), Lease{}, leaseEnd)
	_, _, keyed := store.InquiryByKey(t.Context(), "hash", leaseEnd)
	_, joined := store.JoinSenders(t.Context(), t.TempDir())
	_, inquiries := store.Inquiries(t.Context(), Filter{})
	_, feedback := store.FeedbackList(t.Context())
	_, questions := store.Questions(t.Context())
	_, calls := store.AddModelCall(t.Context(), 1, 1)
	for name, err := range map[string]error{
		"ping":             store.Ping(t.Context()),
		"add inquiry":      store.AddInquiry(t.Context(), sample(1)),
		"settle inquiry":   store.SettleInquiry(t.Context(), sample(1)),
		"list inquiries":   inquiries,
		"read inquiry":     inquiry,
		"claim inquiry":    claimed,
		"claim an":         interrupted,
		"read a key":       keyed,
		"prune keys":       store.PruneKeys(t.Context(), leaseEnd),
		"join the senders": joined,
		"add feedback":     store.AddFeedback(t.Context(), Feedback{}),
		"list feedback":    feedback,
		"add question":     store.AddQuestion(t.Context(), Asked{}),
		"list questions":   questions,
		"accept questions": store.AcceptQuestions(t.Context(), 1),
		"add model call":   calls,
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "records: "+name) {
			t.Errorf("after Close, %s: %v; want an error that says so", name, err)
		}
	}
}

// BenchmarkOpen is a cold start: a new database, made and migrated.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		store, err := Open(context.Background(), Options{Dir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		store.Close()
	}
}

// BenchmarkReopen is a start on what is there.
func BenchmarkReopen(b *testing.B) {
	dir := b.TempDir()
	openStore(b, dir)
	for b.Loop() {
		store, err := Open(context.Background(), Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		store.Close()
	}
}

func BenchmarkAddInquiry(b *testing.B) {
	store := openStore(b, b.TempDir())
	for n := 0; b.Loop(); n++ {
		if err := store.AddInquiry(context.Background(), sample(n)); err != nil {
			b.Fatal(err)
		}
	}
}
