package command_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestRestoreCommand backs up a running service, and restores it into its own data folder
// once the service has stopped.
func TestRestoreCommand(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "desk.db")
	inFolder := func(s *config.Settings) { s.DataFolder = config.DataFolder{Data: dir} }
	contact := func(d *harness.Desk) {
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	}
	restore := func(wantCode int, want string, flags ...string) {
		t.Helper()
		code, out, stderr := harness.Command(t, append([]string{"restore", "--data", dir, file}, flags...)...)
		if code != wantCode || !strings.Contains(out+stderr, want) {
			t.Errorf("restore %v: exit %d, want %d with %q: %s%s", flags, code, wantCode, want, out, stderr)
		}
	}
	t.Run("service", func(t *testing.T) {
		d := harness.Start(t, inFolder)
		contact(d)
		if code, _, stderr := harness.Command(t, "backup", "--data", dir, file); code != command.ExitDone {
			t.Fatal(stderr)
		}
		contact(d)
		restore(command.ExitFailed, "a service runs on the data folder", "--replace")
	})
	restore(command.ExitFailed, "--replace")
	restore(command.ExitDone, "holds 1 inquiries", "--replace")
	if kept, err := filepath.Glob(filepath.Join(dir, records.FileName+".replaced-*")); err != nil || len(kept) != 1 {
		t.Errorf("the database that was replaced: %v, %v", kept, err)
	}
	again := harness.Start(t, inFolder)
	contact(again)
	if inquiries, err := again.Store().Inquiries(t.Context(), records.InquiryQuery{}); err != nil || len(inquiries) != 2 {
		t.Errorf("restored: %d inquiries, %v; want the one of the backup and the new one", len(inquiries), err)
	}
}

// TestRestoreOfOthers points from a file that is no backup to the command that reads it.
func TestRestoreOfOthers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"export","version":1}`: "frontdesk import-records",
		"PGDMP\x01\x0e and the rest":    "pg_restore",
	} {
		dir, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, stderr := harness.Command(t, "restore", "--data", dir, file); code != command.ExitFailed || !strings.Contains(stderr, want) {
			t.Errorf("exit %d: %s%s, want %s", code, out, stderr, want)
		}
	}
	code, _, stderr := harness.Command(t, "restore", "--database-url", "postgres://desk:hunter2@db.example/desk", "desk.dump")
	if want := "pg_restore --no-owner --dbname='postgres://desk@db.example/desk' 'desk.dump'"; code != command.ExitFailed || !strings.Contains(stderr, want) {
		t.Errorf("exit %d: %s, want %s", code, stderr, want)
	}
}

// oldFolder is a data folder as the version before the newest schema left it.
func oldFolder(t *testing.T) (dir string, old int) {
	t.Helper()
	steps, err := filepath.Glob("internal/records/migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	steps = slices.DeleteFunc(steps, func(name string) bool { return strings.HasSuffix(name, ".postgres.sql") })
	dir = t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, records.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // writable_schema is a setting of the connection
	old = len(steps) - 1
	texts := []string{`CREATE TABLE schema_versions (version BIGINT PRIMARY KEY)`}
	for i, step := range steps[:old] {
		text, err := os.ReadFile(step)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text), fmt.Sprintf(`INSERT INTO schema_versions VALUES (%d)`, i+1))
	}
	for _, text := range texts {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return dir, old
}

// TestOwnerCommandsKeepTheSchema: the commands of a new version do not change the
// database of an old service, before they are asked to.
func TestOwnerCommandsKeepTheSchema(t *testing.T) {
	t.Parallel()
	dir, old := oldFolder(t)
	file := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(file, []byte(`{"type":"export","version":1}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"inquiries"}, {"questions"}, {"workspaces"}, {"export"}, {"import-records", file}} {
		code, _, stderr := harness.Command(t, append(args, "--data", dir)...)
		if code != command.ExitFailed || !strings.Contains(stderr, "older frontdesk") || !strings.Contains(stderr, "frontdesk migrate") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
	if code, out, stderr := harness.Command(t, "doctor", "--data", dir); !strings.Contains(out, fmt.Sprintf("has schema %d", old)) {
		t.Errorf("doctor: exit %d: %s%s", code, out, stderr)
	}
	if code, _, stderr := harness.Command(t, "backup", "--data", dir, filepath.Join(t.TempDir(), "b.db")); code != command.ExitDone {
		t.Errorf("backup: exit %d: %s", code, stderr)
	}
	for _, want := range []string{fmt.Sprintf("from schema %d to %d", old, old+1), "is up to date"} {
		if code, out, stderr := harness.Command(t, "migrate", "--data", dir); code != command.ExitDone || !strings.Contains(out, want) {
			t.Errorf("migrate: exit %d: %s%s, want %q", code, out, stderr, want)
		}
	}
	if code, out, stderr := harness.Command(t, "inquiries", "--data", dir); code != command.ExitDone {
		t.Errorf("after migrate: exit %d: %s%s", code, out, stderr)
	}
}

// TestServeMigrates: the start of a service brings the database up to date, and migrate
// stays away from a data folder on which one runs.
func TestServeMigrates(t *testing.T) {
	t.Parallel()
	dir, _ := oldFolder(t)
	harness.Start(t, func(s *config.Settings) { s.DataFolder = config.DataFolder{Data: dir} }).WaitReady(t)
	if code, out, stderr := harness.Command(t, "inquiries", "--data", dir); code != command.ExitDone {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if code, _, stderr := harness.Command(t, "migrate", "--data", dir); code != command.ExitFailed || !strings.Contains(stderr, "--while-running") {
		t.Errorf("migrate beside the service: exit %d: %s", code, stderr)
	}
	if code, out, stderr := harness.Command(t, "migrate", "--data", dir, "--while-running"); code != command.ExitDone {
		t.Errorf("migrate --while-running: exit %d: %s%s", code, out, stderr)
	}
}

// TestMoveBetweenDatabases exports from SQLite, imports into PostgreSQL, and back: the
// three exports are the same.
func TestMoveBetweenDatabases(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	original := t.TempDir()
	t.Run("service", func(t *testing.T) {
		d := harness.Start(t, func(s *config.Settings) { s.DataFolder = config.DataFolder{Data: original} })
		for path, body := range map[string]string{
			contract.PathContact:  harness.ContactBody(""),
			contract.PathAsk:      harness.Question("Can I bring my parrot?"),
			contract.PathFeedback: `{"helpful":false,"q":"Do you sing?","comment":"no"}`,
		} {
			harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, path, body, harness.JSONType), http.StatusOK)
		}
		d.Kept(t, 1)
	})
	back := t.TempDir()
	from := []string{"--data", original}
	var first string
	for i, at := range [][]string{{"--database-url", server.URL}, {"--data", back}} {
		code, exported, stderr := harness.Command(t, append([]string{"export"}, from...)...)
		if code != command.ExitDone || strings.Count(exported, "\n") < 4 {
			t.Fatalf("export %d: exit %d: %s%s", i, code, exported, stderr)
		}
		if i == 0 {
			first = exported
		}
		file := filepath.Join(t.TempDir(), "records.jsonl")
		if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := harness.Command(t, append([]string{"import-records", file}, at...)...); code != command.ExitDone {
			t.Fatalf("import %d: exit %d: %s", i, code, stderr)
		}
		if _, copied, _ := harness.Command(t, append([]string{"export"}, at...)...); copied != first {
			t.Errorf("the export of copy %d is\n%s\nwant\n%s", i, copied, first)
		}
		from = at
	}
}
