package backup

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/mailer"
)

// desk has something of everything, a link, and what no backup has.
func desk(t *testing.T) Service {
	t.Helper()
	s := Service{Records: records.Options{Dir: t.TempDir()}, Content: t.TempDir()}
	store := expect.Value(records.Open(t.Context(), s.Records))(t)
	workspace := records.Workspace{ID: "ws_1", Business: "B", Email: "a@b.example", State: "draft", CreatedAt: time.Now()}
	expect.OK(t, expect.ErrorOf(store.AddWorkspace(t.Context(), workspace, records.Key{})), store.Close())
	write(t, s.Records.Dir, map[string]string{signing.KeyFile: "key", mailer.AccountFile: "account", "mail/1.eml": "mail",
		"images/1.jpg": "image", "meaning.cache": "made again"})
	write(t, s.Content, map[string]string{"faq.yaml": "faq", "pages/about.md": "page", ".git/config": "hidden",
		"assets/deeper/a.svg": "picture"})
	expect.OK(t, os.Symlink("faq.yaml", filepath.Join(s.Content, "linked.yaml")))
	return s
}

var deskContent = map[string]string{"faq.yaml": "faq", "linked.yaml": "faq", "pages/about.md": "page",
	"assets/deeper/a.svg": "picture"}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		expect.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		expect.Write(t, path, text)
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	return expect.Files(t, os.DirFS(dir), records.FileName)
}

func empty(t *testing.T) Service {
	return Service{Records: records.Options{Dir: t.TempDir()}, Content: filepath.Join(t.TempDir(), "content")}
}

func written(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	expect.OK(t, Write(t.Context(), &file, desk(t)))
	return file.Bytes()
}

// A restore over what is there loses nothing, and leaves its content.
func TestRestore(t *testing.T) {
	t.Parallel()
	file, to := written(t), empty(t)
	done, err := Restore(t.Context(), bytes.NewReader(file), to, false)
	expect.OK(t, err)
	expect.Same(t, "restored", []any{int64(1), true}, []any{done.Records.Workspaces, done.Content})
	data := map[string]string{signing.KeyFile: "key", mailer.AccountFile: "account", "mail/1.eml": "mail",
		"images/1.jpg": "image"}
	expect.Same(t, "the data folder", data, files(t, to.Records.Dir))
	expect.Same(t, "the content", deskContent, files(t, to.Content))
	for _, name := range []string{signing.KeyFile, records.FileName} {
		expect.Same(t, name, 0o600, expect.Value(os.Stat(filepath.Join(to.Records.Dir, name)))(t).Mode().Perm())
	}

	write(t, to.Records.Dir, map[string]string{signing.KeyFile: "another", "mail/2.eml": "later"})
	write(t, to.Content, map[string]string{"faq.yaml": "changed"})
	before := files(t, to.Records.Dir)
	expect.Error(t, "another key", expect.ErrorOf(Restore(t.Context(), bytes.NewReader(file), to, false)), ErrOtherKey)
	expect.Same(t, "the data folder after the refusal", before, files(t, to.Records.Dir))
	done, err = Restore(t.Context(), bytes.NewReader(file), to, true)
	expect.OK(t, err)
	data[filepath.Base(done.ReplacedKey)], data["mail/2.eml"] = "another", "later"
	expect.Same(t, "the second restore", data, files(t, to.Records.Dir))
	expect.Same(t, "the content, and what is replaced", []any{"changed", false, true},
		[]any{files(t, to.Content)["faq.yaml"], done.Content, done.Records.Replaced != ""})
	to.Content += "/faq.yaml"
	expect.Says(t, "a file", expect.ErrorOf(Restore(t.Context(), bytes.NewReader(file), to, true)), "all but the content")
}

// Content that holds the data folder and the backups is backed up without them.
func TestNested(t *testing.T) {
	t.Parallel()
	s, to := desk(t), empty(t)
	expect.OK(t, os.Symlink(s.Records.Dir, filepath.Join(s.Content, "data")))
	write(t, s.Content, map[string]string{"old/frontdesk-20000101T033000Z.tar.gz": ""})
	var file bytes.Buffer
	expect.OK(t, Write(t.Context(), &file, s))
	expect.Value(Restore(t.Context(), &file, to, false))(t)
	expect.Same(t, "the content", deskContent, files(t, to.Content))
	s.Content = s.Records.Dir
	expect.Says(t, "the data folder as content", Write(t.Context(), &file, s), "is the data folder")
	s.Content += "/missing"
	expect.Error(t, "missing content", Write(t.Context(), &file, s), fs.ErrNotExist)
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	file := written(t)
	damaged := bytes.Clone(file)
	damaged[len(damaged)/2] ^= 0xff
	for name, bad := range map[string][]byte{
		"empty": nil, "another file": []byte("PGDMP"), "damaged": damaged,
		"without its end": file[:len(file)-1], "half": file[:len(file)/2], "a header": file[:10],
	} {
		to := empty(t)
		expect.Error(t, name, expect.ErrorOf(Restore(t.Context(), bytes.NewReader(bad), to, false)), records.ErrNoBackup)
		expect.Same(t, name+": files in the data folder", 0, len(expect.Value(os.ReadDir(to.Records.Dir))(t)))
	}
}

func TestLoop(t *testing.T) {
	t.Parallel()
	s := desk(t)
	expect.OK(t, os.Symlink("..", filepath.Join(s.Content, "pages", "up")))
	file := filepath.Join(t.TempDir(), "backup")
	expect.Says(t, "a link", Create(t.Context(), s, file), "link")
	expect.Error(t, "the file of the failed backup", expect.ErrorOf(os.Stat(file)), fs.ErrNotExist)
}

// The first backup is made at the start, the others at their time, the oldest are removed, a failure is tried again
// within the hour, and a restart makes none too many, whatever a file of the future says.
func TestDaily(t *testing.T) {
	t.Parallel()
	s := desk(t)
	synctest.Test(t, func(t *testing.T) {
		failures := 0
		d := &Daily{Service: s, Folder: t.TempDir() + "/backups", At: 210 * time.Minute, Keep: 2, Log: zerolog.Nop(),
			Failed: func(context.Context) { failures++ }}
		run := func(forTime time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), forTime)
			defer cancel()
			d.Run(ctx)
		}
		const future = "frontdesk-20300101T033000Z.tar.gz" // as of a clock that was wrong
		write(t, d.Folder, map[string]string{future: ""})
		isLate := func() bool { return d.State().IsLate(time.Now()) }
		expect.Same(t, "before the first", []any{time.Time{}, true}, []any{d.State().At, isLate()})
		run(time.Minute) // the bubble's clock begins at midnight of 1 January 2000
		run(50 * time.Hour)
		var backups []string
		for _, file := range expect.Value(os.ReadDir(d.Folder))(t) {
			backups = append(backups, file.Name())
		}
		expect.Same(t, "backups", []string{"frontdesk-20000101T033000Z.tar.gz", "frontdesk-20000102T033000Z.tar.gz", future}, backups)
		expect.Same(t, "after two days", []any{true, false}, []any{d.State().Bytes > 0, isLate()})
		expect.OK(t, os.Rename(s.Records.Dir, s.Records.Dir+".away"))
		run(3 * time.Hour) // past the time of the third day
		expect.Same(t, "without a database", []any{true, true, true}, []any{d.State().Err != nil, isLate(), failures > 0})
		expect.OK(t, os.RemoveAll(s.Records.Dir), os.Rename(s.Records.Dir+".away", s.Records.Dir))
		run(time.Minute)
		expect.OK(t, d.State().Err)
		expect.Same(t, "late with the database again", false, isLate())
	})
}

// A backup removes what one that was killed more than a day ago has left, and no folder of others.
func TestLeft(t *testing.T) {
	t.Parallel()
	d := &Daily{Service: desk(t), Folder: t.TempDir()}
	work, part, young, other := d.Records.Dir+"/.backup-1", d.Folder+"/.new-1", d.Folder+"/.new-2", d.Folder+"/.new-3"
	write(t, "/", map[string]string{work + "/x": "", part: "", young: "", other + "/x": ""})
	old := time.Now().Add(-25 * time.Hour)
	expect.OK(t, os.Chtimes(work, old, old), os.Chtimes(part, old, old), os.Chtimes(other, old, old),
		expect.ErrorOf(d.Make(t.Context())))
	works, parts := expect.Value(filepath.Glob(d.Records.Dir+"/.*"))(t), expect.Value(filepath.Glob(d.Folder+"/.*"))(t)
	expect.Same(t, "left", []string{young, other}, append(works, parts...))
}
