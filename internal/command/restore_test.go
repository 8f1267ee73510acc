package command_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/command"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// The backup of a running service is restored into its own data folder once the service has stopped.
func TestRestoreCommand(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "desk.db")
	restore := "restore --data " + dir + " " + file
	t.Run("service", func(t *testing.T) {
		d := harness.Start(t, inFolder(dir))
		contact(t, d, 200)
		run(t, 0, "backup --data "+dir+" "+file)
		contact(t, d, 200)
		run(t, 1, restore+" --replace", "a service runs on the data folder")
	})
	run(t, 1, restore, "--replace")
	run(t, 1, "restore --replace "+file+" --data "+dir+"/none", "to replace")
	run(t, 0, restore+" --replace", "holds 1 inquiries")
	expect.Same(t, "the database that was replaced",
		1, len(expect.Value(filepath.Glob(filepath.Join(dir, records.FileName+".replaced-*")))(t)))
	again := harness.Start(t, inFolder(dir))
	contact(t, again, 200)
	again.Inquiries(t, 2) // the one of the backup and the new one
}

func TestRestoreOfOthers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"export","version":2}`: "frontdesk import-records",
		"PGDMP\x01\x0e and the rest":    "pg_restore",
	} {
		run(t, 1, "restore --data "+t.TempDir()+" "+write(t, filepath.Join(t.TempDir(), "file"), text), want)
	}
	run(t, 1, "restore --data "+t.TempDir()+" /nowhere.tar.gz", "frontdesk: open /nowhere.tar.gz: ")
}

func TestOwnerCommandsKeepTheSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := " --data " + dir
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	defer store.Close()
	db := store.Pools()["sqlite"]
	expect.Value(db.ExecContext(t.Context(), `INSERT INTO schema_versions VALUES (9999)`))(t)
	file := write(t, filepath.Join(t.TempDir(), "records.jsonl"), `{"type":"export","version":2}`+"\n")
	for _, line := range []string{"inquiries", "questions", "workspaces", "export", "import-records " + file, "migrate", "backup " + filepath.Join(t.TempDir(), "b.db")} {
		run(t, 1, line+data, "newer frontdesk", "schema 9999")
	}
	_, out, _ := harness.Command(t, "doctor", "--data", dir)
	expect.Holds(t, "doctor", out, "schema 9999")
	expect.Value(db.ExecContext(t.Context(), `DELETE FROM schema_versions WHERE version = 9999`))(t)
	run(t, 0, "migrate"+data, "is up to date")
	run(t, 0, "inquiries"+data)
	harness.Start(t, inFolder(dir)).WaitReady(t)
	run(t, 1, "migrate"+data, "stop it first")
}

// waiting is standard input that nothing is written to; Ctrl-C follows.
type waiting struct {
	*testing.T
	interrupt context.CancelFunc
}

func (w waiting) Read([]byte) (int, error) {
	w.interrupt()
	<-w.Context().Done()
	return 0, io.EOF
}

func TestInterruption(t *testing.T) {
	t.Parallel()
	questions := write(t, filepath.Join(t.TempDir(), "q.jsonl"), `{"q":"Where are you located?","id":"location"}`)
	for _, line := range []string{
		"restore - --data " + t.TempDir(), "import-records - --data " + t.TempDir(), "eval --encoder=off " + questions,
		"backup --data " + asked(t, "?"),
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		if !strings.Contains(line, " - ") {
			interrupt()
		}
		var stderr strings.Builder
		code := command.Run(ctx, strings.Fields(line),
			command.Streams{In: waiting{t, interrupt}, Out: io.Discard, Err: &stderr}, command.Own{})
		expect.Same(t, line+": code", 1, code)
		expect.Holds(t, line, stderr.String(), "context canceled")
		expect.Lacks(t, line, stderr.String(), "backup:")
	}
}
