package mailer

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	expect.OK(t, expect.Value(Parse("file:", data))(t).Send(t.Context(), sample()))
	path := filepath.Join(data, "mail", "20261121T093000Z-inq_abc123@desk.example.org.eml")
	expect.Same(t, "the file", string(expect.Value(sample().Bytes())(t)), expect.File(t, path))
	for path, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		expect.Same(t, path+" has mode", want, expect.Value(os.Stat(path))(t).Mode().Perm())
	}
	expect.Same(t, "files", 1, len(expect.Value(os.ReadDir(filepath.Dir(path)))(t)))
}

func TestFolderFails(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	expect.Write(t, filepath.Join(data, "mail"), "")
	transport := expect.Value(Parse("file:", data))(t)
	checkError(t, transport.Send(t.Context(), sample()), Failed, stageFile, "not a directory")
	checkFailure(t, transport.Check(t.Context(), sample()), stageFile)
	invalid := sample()
	invalid.To = ""
	checkError(t, transport.Send(t.Context(), invalid), Failed, stageMessage, "not an e-mail address")
}

func TestFolderPrune(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := &Folder{dir: dir}
	expect.Same(t, "deleted without a folder", 0, expect.Value((&Folder{dir: filepath.Join(dir, "none")}).Prune(time.Now()))(t))
	old, young := sample(), sample()
	young.ID, young.Date = "young@example.org", old.Date.Add(time.Hour)
	for _, m := range []Message{old, young} {
		expect.OK(t, folder.Send(t.Context(), m))
	}
	for _, foreign := range []string{"notes.txt", "20000101T000000Z-x.txt", "letter.eml", "copy-" + young.ID + ".eml"} {
		expect.Write(t, filepath.Join(dir, foreign), "")
	}
	expect.Same(t, "Prune", 1, expect.Value(folder.Prune(young.Date))(t))
	expect.Same(t, "files are left", 5, len(expect.Value(os.ReadDir(dir))(t)))
	expect.Same(t, "Delete", 1, expect.Value(folder.Delete(young.ID, "unknown@example.org"))(t))
	expect.Same(t, "files are left", 4, len(expect.Value(os.ReadDir(dir))(t)))
}

// The mails of an address are deleted whatever the name is, also if it cannot be read.
func TestFolderDeleteOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := &Folder{dir: dir}
	mail := sample()
	mail.ReplyName, mail.ReplyTo = `Jörg \r`, "Ada@example.com"
	expect.OK(t, folder.Send(t.Context(), mail))
	mail.ID, mail.ReplyTo = "notice@example.org", ""
	expect.OK(t, folder.Send(t.Context(), mail))
	expect.Write(t, filepath.Join(dir, "odd.eml"), "Reply-To: =?utf-8?q?J\\r?= <ada@example.com>\n\n")
	expect.Same(t, "deleted", []string{"20261121T093000Z-inq_abc123@desk.example.org.eml", "odd.eml"},
		expect.Value(folder.DeleteOf("ada@example.com"))(t))
}

func TestCheckOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, good := range []string{dir, filepath.Join(dir, "missing")} {
		expect.OK(t, (&Folder{dir: good}).Check(t.Context(), sample()))
	}
	expect.Same(t, "files after a check", 0, len(expect.Value(os.ReadDir(dir))(t)))
}
