package command_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

func inFolder(dir string) func(*config.Settings) {
	return func(s *config.Settings) { s.Data = dir }
}

func TestExportCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	contact(t, d, 200)
	out, _ := run(t, 0, "export --data "+d.Settings.Data, `{"type":"inquiry","id":"inq_`, `"state":"sent"`)
	expect.Same(t, "lines", 4, strings.Count(out, "\n"))
	run(t, 1, "export --data "+filepath.Join(t.TempDir(), "none"), "no database at ")
}

func TestImportRecordsCommand(t *testing.T) {
	t.Parallel()
	from, to, file := asked(t, "Can I bring my parrot?", "Do you sing?"), t.TempDir(), filepath.Join(t.TempDir(), "records.jsonl")
	exported, _ := run(t, 0, "export --data "+from)
	load := "import-records --data " + to + " " + write(t, file, exported)
	run(t, 0, load, "2 records added, 0 were there already.\n")
	run(t, 0, load, "0 records added, 2 were there already.\n")
	again, _ := run(t, 0, "export --data "+to)
	expect.Same(t, "the export of the copy", exported, again)
	write(t, file, exported+"{")
	run(t, 1, load, "line 5")
	run(t, 1, "import-records --data "+to+" -", "-: records: import: the file is empty")
}

func TestBackupCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.Content = harness.SmallContent(t) })
	contact(t, d, 200)
	backup := " --data " + d.Settings.Data + " --content " + d.Settings.Content
	folder := t.TempDir()
	out, _ := run(t, 0, "backup"+backup+" --backup daily:"+folder)
	file, _, _ := strings.Cut(out, " ")
	run(t, 1, "backup "+file+backup, "name another file")
	run(t, 1, "backup "+folder+"/none/file"+backup, "none: no such file")
	code, pipe, _ := harness.Command(t, strings.Fields("backup -"+backup)...)
	if code != 0 || filepath.Dir(file) != folder {
		t.Errorf("exit %d; the backup is %q, not in %s", code, file, folder)
	}
	for _, from := range []string{file, write(t, filepath.Join(t.TempDir(), "pipe"), pipe)} {
		data, content := filepath.Join(t.TempDir(), "missing", "data"), filepath.Join(t.TempDir(), "content")
		run(t, 0, "restore --data "+data+" --content "+content+" "+from, "holds 1 inquiries", "The content is in "+content)
		expect.Same(t, "mode of the data folder", fs.ModeDir|0o700, expect.Value(os.Stat(data))(t).Mode())
		again := harness.Start(t, func(s *config.Settings) { s.Data, s.Content = data, content })
		contact(t, again, 200)
		again.Inquiries(t, 2)
	}
}

// A backup of PostgreSQL is restored to another database there and to SQLite. One of SQLite is for SQLite.
func TestBackupOfPostgres(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	contact(t, harness.Start(t, harness.OnPostgres(t, server)), 200)
	file, data := filepath.Join(t.TempDir(), "backup"), t.TempDir()
	run(t, 0, "backup --data "+t.TempDir()+" --database-url "+server.URL+" "+file)
	run(t, 0, "restore --data "+data+" "+file, "holds 1 inquiries")
	elsewhere := " --data " + t.TempDir() + " --database-url " + programs.Postgres(t).URL + " "
	run(t, 0, "restore"+elsewhere+file, "2 records added, 0 were there already.")
	run(t, 0, "inquiries"+elsewhere, "ada@example.com")
	run(t, 0, "backup --data "+data+" "+file+"2")
	run(t, 1, "restore"+elsewhere+file+"2", "frontdesk import-records")
}
