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

	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestExportCommand writes what a running service has stored.
func TestExportCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)
	for name, test := range map[string]struct {
		args  []string
		code  int
		out   string
		lines int
		err   string
	}{
		"everything":         {nil, command.ExitDone, `{"type":"inquiry","id":"inq_`, 3, ""},
		"since a day":        {[]string{"--since", today}, command.ExitDone, `"state":"sent"`, 3, ""},
		"since a later time": {[]string{"--since", tomorrow}, command.ExitDone, `{"type":"export","version":1}`, 1, ""},
		"since nonsense":     {[]string{"--since", "yesterday"}, command.ExitUsage, "", 0, "2026-11-21T09:00:00Z"},
		"the wrong folder":   {[]string{"--data", filepath.Join(t.TempDir(), "none")}, command.ExitFailed, "", 0, "no database at "},
	} {
		code, out, stderr := harness.Command(t, append([]string{"export", "--data", d.Settings.Dir()}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(stderr, test.err) ||
			(code == command.ExitDone && strings.Count(out, "\n") != test.lines) {
			t.Errorf("%s: exit %d:\n%s%s", name, code, out, stderr)
		}
	}
}

// TestImportRecordsCommand moves the records of a data folder to another one.
func TestImportRecordsCommand(t *testing.T) {
	t.Parallel()
	from, to, file := ledger(t, "Can I bring my parrot?", "Do you sing?"), t.TempDir(), filepath.Join(t.TempDir(), "records.jsonl")
	code, exported, stderr := harness.Command(t, "export", "--data", from)
	if code != command.ExitDone {
		t.Fatal(stderr)
	}
	if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 records added, 0 were there already.\n", "0 records added, 2 were there already.\n"} {
		if code, out, stderr := harness.Command(t, "import-records", "--data", to, file); code != command.ExitDone || out != want {
			t.Errorf("exit %d: %s%s, want %s", code, out, stderr, want)
		}
	}
	if _, again, _ := harness.Command(t, "export", "--data", to); again != exported {
		t.Errorf("the export of the copy is\n%s\nwant\n%s", again, exported)
	}
	if err := os.WriteFile(file, []byte(exported+"{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := harness.Command(t, "import-records", "--data", to, file); code != command.ExitFailed || !strings.Contains(stderr, "line 4") {
		t.Errorf("a broken file: exit %d: %s", code, stderr)
	}
}

// TestBackupCommand backs up a running service, and restores it as the help says.
func TestBackupCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	restored := t.TempDir()
	file := filepath.Join(restored, records.FileName)
	if code, out, stderr := harness.Command(t, "backup", file, "--data", d.Settings.Dir()); code != command.ExitDone || !strings.Contains(out, file) {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	again := harness.Start(t, func(s *config.Settings) { s.DataFolder = config.DataFolder{Data: restored} })
	harness.WantStatus(t, again.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	if inquiries, err := again.Store().Inquiries(t.Context(), records.InquiryQuery{}); err != nil || len(inquiries) != 2 {
		t.Errorf("restored: %d inquiries, %v; want the old and the new one", len(inquiries), err)
	}
	if code, _, stderr := harness.Command(t, "backup", file, "--data", d.Settings.Dir()); code != command.ExitFailed || !strings.Contains(stderr, file) {
		t.Errorf("over a file: exit %d: %s", code, stderr)
	}
}

// TestBackupOfPostgres runs the two commands that backup shows, as they stand there.
func TestBackupOfPostgres(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	bin := filepath.Dir(programs.Find(t, "pg_dump", "apt-get install postgresql", "/usr/lib/postgresql/*/bin/pg_dump"))
	d := harness.Start(t, harness.OnPostgres(t, server))
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	address := strings.Replace(server.URL, "desk@", "desk:hunter2@", 1) + "&default_query_exec_mode=exec"
	file := filepath.Join(t.TempDir(), "it's a backup")
	code, out, stderr := harness.Command(t, "backup", file, "--database-url", address)
	if code != command.ExitFailed || out != "" || strings.Contains(stderr, "hunter2") || !strings.Contains(stderr, "FRONTDESK_DATABASE_URL") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	empty := strings.Replace(server.URL, "/postgres?", "/restored?", 1)
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
	code, out, stderr = harness.Command(t, "inquiries", "--database-url", empty)
	if code != command.ExitDone || !strings.Contains(out, "ada@example.com") {
		t.Errorf("restored: exit %d: %s%s", code, out, stderr)
	}
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
