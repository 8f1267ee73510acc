package command_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestRestoreCommand backs up a running service, and restores it into its own data folder
// once the service has stopped.
func TestRestoreCommand(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "desk.db")
	restore := "restore --data " + dir + " " + file
	t.Run("service", func(t *testing.T) {
		d := harness.Start(t, inFolder(dir))
		contact(t, d, http.StatusOK)
		run(t, 0, "backup --data "+dir+" "+file)
		contact(t, d, http.StatusOK)
		run(t, 1, restore+" --replace", "a service runs on the data folder")
	})
	run(t, 1, restore, "--replace")
	run(t, 0, restore+" --replace", "holds 1 inquiries")
	if kept, err := filepath.Glob(filepath.Join(dir, records.FileName+".replaced-*")); err != nil || len(kept) != 1 {
		t.Errorf("the database that was replaced: %v, %v", kept, err)
	}
	again := harness.Start(t, inFolder(dir))
	contact(t, again, http.StatusOK)
	again.Inquiries(t, 2) // the one of the backup and the new one
}

// TestRestoreOfOthers points from a file that is no backup to the command that reads it.
func TestRestoreOfOthers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"export","version":1}`: "frontdesk import-records",
		"PGDMP\x01\x0e and the rest":    "pg_restore",
	} {
		run(t, 1, "restore --data "+t.TempDir()+" "+write(t, filepath.Join(t.TempDir(), "file"), text), want)
	}
	run(t, 1, "restore "+t.TempDir(), "is no backup")
	pipe := filepath.Join(t.TempDir(), "pipe") // which no one ever writes
	if err := exec.Command("mkfifo", pipe).Run(); err == nil {
		run(t, 1, "restore --data "+t.TempDir()+" "+pipe, "is no backup")
	}
}

// oldFolder is a data folder as the version before the newest schema left it.
func oldFolder(t *testing.T) (dir string, old int) {
	t.Helper()
	steps := expect.Value(filepath.Glob("internal/records/migrations/*.sql"))(t)
	steps = slices.DeleteFunc(steps, func(name string) bool { return strings.HasSuffix(name, ".postgres.sql") })
	dir = t.TempDir()
	db := expect.Value(sql.Open("sqlite", filepath.Join(dir, records.FileName)))(t)
	defer db.Close()
	db.SetMaxOpenConns(1) // writable_schema is a setting of the connection
	old = len(steps) - 1
	texts := []string{`CREATE TABLE schema_versions (version BIGINT PRIMARY KEY)`}
	for i, step := range steps[:old] {
		texts = append(texts, read(t, step), fmt.Sprintf(`INSERT INTO schema_versions VALUES (%d)`, i+1))
	}
	for _, text := range texts {
		expect.Value(db.ExecContext(t.Context(), text))(t)
	}
	return dir, old
}

// TestOwnerCommandsKeepTheSchema: the commands of a new version do not change the
// database of an old service, before they are asked to.
func TestOwnerCommandsKeepTheSchema(t *testing.T) {
	t.Parallel()
	dir, old := oldFolder(t)
	data := " --data " + dir
	file := write(t, filepath.Join(t.TempDir(), "records.jsonl"), `{"type":"export","version":1}`+"\n")
	for _, line := range []string{"inquiries", "questions", "workspaces", "export", "import-records " + file} {
		run(t, 1, line+data, "older frontdesk", "frontdesk migrate")
	}
	if _, out, _ := harness.Command(t, "doctor", "--data", dir); !strings.Contains(out, fmt.Sprintf("has schema %d", old)) {
		t.Errorf("doctor: %s", out)
	}
	run(t, 0, "backup"+data+" "+filepath.Join(t.TempDir(), "b.db"))
	run(t, 0, "migrate"+data, fmt.Sprintf("from schema %d to %d", old, old+1))
	run(t, 0, "migrate"+data, "is up to date")
	run(t, 0, "inquiries"+data)
	harness.Start(t, inFolder(dir)).WaitReady(t)
	run(t, 1, "migrate"+data, "--while-running")
	run(t, 0, "migrate --while-running"+data)
}
