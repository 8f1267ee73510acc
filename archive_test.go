package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
)

// TestExportCommand writes what a running service has stored.
func TestExportCommand(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)
	for name, test := range map[string]struct {
		args  []string
		code  int
		out   string
		lines int
		err   string
	}{
		"everything":         {nil, exitDone, `{"type":"inquiry","id":"inq_`, 1, ""},
		"since a day":        {[]string{"--since", today}, exitDone, `"state":"sent"`, 1, ""},
		"since a later time": {[]string{"--since", tomorrow}, exitDone, "", 0, ""},
		"since nonsense":     {[]string{"--since", "yesterday"}, exitUsage, "", 0, "2026-11-21T09:00:00Z"},
		"the wrong folder":   {[]string{"--data", filepath.Join(t.TempDir(), "none")}, exitFailed, "", 0, "FRONTDESK_DATA: "},
	} {
		code, out, stderr := command(t, append([]string{"export", "--data", d.settings.Dir()}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(stderr, test.err) ||
			(code == exitDone && strings.Count(out, "\n") != test.lines) {
			t.Errorf("%s: exit %d:\n%s%s", name, code, out, stderr)
		}
	}
}

// TestBackupCommand backs up a running service, and restores it as the help says.
func TestBackupCommand(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	restored := t.TempDir()
	file := filepath.Join(restored, records.FileName)
	if code, out, stderr := command(t, "backup", file, "--data", d.settings.Dir()); code != exitDone || !strings.Contains(out, file) {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	again := startDesk(t, func(s *config.Settings) { s.DataFolder = config.DataFolder{Data: restored} })
	wantStatus(t, again.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	if inquiries, err := again.store.Inquiries(t.Context(), records.Filter{}); err != nil || len(inquiries) != 2 {
		t.Errorf("restored: %d inquiries, %v; want the old and the new one", len(inquiries), err)
	}
	if code, _, stderr := command(t, "backup", file, "--data", d.settings.Dir()); code != exitFailed || !strings.Contains(stderr, file) {
		t.Errorf("over a file: exit %d: %s", code, stderr)
	}
}

// TestBackupOfPostgres runs the two commands that backup shows, as they stand there.
func TestBackupOfPostgres(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	bin := filepath.Dir(programs.Find(t, "pg_dump", "apt-get install postgresql", "/usr/lib/postgresql/*/bin/pg_dump"))
	d := startDesk(t, onPostgres(t, server))
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	address := strings.Replace(server.URL, "desk@", "desk:hunter2@", 1) + "&default_query_exec_mode=exec"
	file := filepath.Join(t.TempDir(), "it's a backup")
	code, out, stderr := command(t, "backup", file, "--database-url", address)
	if code != exitFailed || out != "" || strings.Contains(stderr, "hunter2") || !strings.Contains(stderr, "FRONTDESK_DATABASE_URL") {
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
	code, out, stderr = command(t, "inquiries", "--database-url", empty)
	if code != exitDone || !strings.Contains(out, "ada@example.com") {
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
