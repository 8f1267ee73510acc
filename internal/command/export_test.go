package command_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// inFolder sets the data folder.
func inFolder(dir string) func(*config.Settings) {
	return func(s *config.Settings) { s.Data = dir }
}

// TestExportCommand writes what a running service has stored.
func TestExportCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	contact(t, d, http.StatusOK)
	export := "export --data " + d.Settings.Data
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)
	for line, want := range map[string]struct {
		text  string
		lines int
	}{
		export:                          {`{"type":"inquiry","id":"inq_`, 4},
		export + " --since " + today:    {`"state":"sent"`, 4},
		export + " --since " + tomorrow: {`{"type":"export","version":2}` + "\n" + `{"type":"end","records":0}`, 2},
	} {
		if out, _ := run(t, 0, line, want.text); strings.Count(out, "\n") != want.lines {
			t.Errorf("%s: want %d lines\n%s", line, want.lines, out)
		}
	}
	run(t, 2, export+" --since yesterday", "2026-11-21T09:00:00Z")
	run(t, 1, "export --data "+filepath.Join(t.TempDir(), "none"), "no database at ")
}

// TestImportRecordsCommand moves the records of a data folder to another one.
func TestImportRecordsCommand(t *testing.T) {
	t.Parallel()
	from, to, file := asked(t, "Can I bring my parrot?", "Do you sing?"), t.TempDir(), filepath.Join(t.TempDir(), "records.jsonl")
	exported, _ := run(t, 0, "export --data "+from)
	load := "import-records --data " + to + " " + write(t, file, exported)
	run(t, 0, load, "2 records added, 0 were there already.\n")
	run(t, 0, load, "0 records added, 2 were there already.\n")
	if again, _ := run(t, 0, "export --data "+to); again != exported {
		t.Errorf("the export of the copy is\n%s\nwant\n%s", again, exported)
	}
	write(t, file, exported+"{")
	run(t, 1, load, "line 5")
}

// TestBackupCommand backs up a running service, and restores it as the help says.
func TestBackupCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	contact(t, d, http.StatusOK)
	restored := t.TempDir()
	file := filepath.Join(restored, records.FileName)
	backup := "backup " + file + " --data " + d.Settings.Data
	run(t, 0, backup, file)
	again := harness.Start(t, inFolder(restored))
	contact(t, again, http.StatusOK)
	again.Inquiries(t, 2)
	run(t, 1, backup, file) // which is there already
}

// TestBackupOfPostgres runs the two commands that backup shows, as they are printed.
func TestBackupOfPostgres(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	bin := filepath.Dir(programs.Find(t, "pg_dump", "apt-get install postgresql", "/usr/lib/postgresql/*/bin/pg_dump"))
	contact(t, harness.Start(t, harness.OnPostgres(t, server)), http.StatusOK)
	address := strings.Replace(server.URL, "desk@", "desk:hunter2@", 1) + "&default_query_exec_mode=exec"
	file := filepath.Join(t.TempDir(), "it's a backup")
	code, out, stderr := harness.Command(t, "backup", file, "--database-url", address)
	if code != 1 || out != "" || strings.Contains(stderr, "hunter2") || !strings.Contains(stderr, "FRONTDESK_DATABASE_URL") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	shell(t, bin, `createdb --maintenance-db='`+server.URL+`' restored`)
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "pg_restore ") {
			line = strings.ReplaceAll(line, "/postgres?", "/restored?")
		}
		if strings.HasPrefix(line, "pg_") {
			shell(t, bin, line)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Fatalf("the backup: %v", err)
	}
	run(t, 0, "inquiries --database-url "+strings.Replace(server.URL, "/postgres?", "/restored?", 1), "ada@example.com")
}

// shell runs a line with the programs of a folder.
func shell(t *testing.T, bin, line string) {
	t.Helper()
	process := exec.CommandContext(t.Context(), "sh", "-c", line)
	process.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var output bytes.Buffer
	process.Stdout, process.Stderr = &output, &output
	if err := process.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, &output)
	}
}

// TestMoveBetweenDatabases exports from SQLite, imports into PostgreSQL, and back: the
// three exports are the same.
func TestMoveBetweenDatabases(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	original := t.TempDir()
	t.Run("service", func(t *testing.T) {
		d := harness.Start(t, inFolder(original))
		for path, body := range map[string]string{
			contract.PathContact:  harness.ContactBody(""),
			contract.PathAsk:      harness.Question("Can I bring my parrot?"),
			contract.PathFeedback: `{"helpful":false,"q":"Do you sing?","comment":"no"}`,
		} {
			harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, path, body, harness.JSONType), http.StatusOK)
		}
		d.Kept(t, 1)
	})
	first, _ := run(t, 0, "export --data "+original)
	if strings.Count(first, "\n") < 4 {
		t.Fatalf("the export holds only\n%s", first)
	}
	exported := first
	for _, at := range []string{" --database-url " + server.URL, " --data " + t.TempDir()} {
		run(t, 0, "import-records "+write(t, filepath.Join(t.TempDir(), "records.jsonl"), exported)+at)
		if exported, _ = run(t, 0, "export"+at); exported != first {
			t.Errorf("the export of the copy is\n%s\nwant\n%s", exported, first)
		}
	}
}
