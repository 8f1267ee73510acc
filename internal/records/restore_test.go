package records

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

func backupOf(t *testing.T) (file, exported string) {
	t.Helper()
	dir := t.TempDir()
	store := openStore(t, dir)
	stock(t, store)
	file = filepath.Join(t.TempDir(), "desk.db")
	expect.OK(t, Backup(t.Context(), dir, file))
	return file, export(t, store)
}

func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := expect.Value(os.ReadDir(dir))(t)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestRestore(t *testing.T) {
	t.Parallel()
	file, want := backupOf(t)
	dir := t.TempDir()
	got := expect.Value(Restore(t.Context(), dir, file, false))(t)
	expect.Same(t, "Restore", Restored{
		Path: filepath.Join(dir, FileName), Inquiries: 2, Pending: 1, Feedback: 2, Questions: 2, Workspaces: 2,
		Newest: sample(0).CreatedAt.Add(48 * time.Hour).UTC(),
	}, got)
	expect.Same(t, "files", []string{FileName}, filesOf(t, dir))
	expect.Same(t, "export of what was restored", want, export(t, openStore(t, dir)))
}

func TestRestoreReplaces(t *testing.T) {
	t.Parallel()
	file, want := backupOf(t)
	whole := expect.File(t, file)
	for name, damage := range map[string]func(path string) error{
		"sound":   func(string) error { return nil },
		"damaged": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no ", 5000)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			old := openStore(t, dir)
			fill(t, old, 7)
			expect.OK(t, old.Close(), damage(path))
			expect.Error(t, "without replace", expect.ErrorOf(Restore(t.Context(), dir, file, false)), fs.ErrExist)
			before := expect.File(t, path)
			part := filepath.Join(t.TempDir(), FileName)
			expect.Write(t, part, whole)
			got := expect.Value(Restore(t.Context(), dir, part, true))(t)
			expect.Same(t, got.Replaced, len(before), len(expect.File(t, got.Replaced)))
			expect.Same(t, "export of what was restored", want, export(t, openStore(t, dir)))
		})
	}
}

func TestRestoreInUse(t *testing.T) {
	t.Parallel()
	file, _ := backupOf(t)
	dir := t.TempDir()
	store := openStore(t, dir)
	fill(t, store, 3)
	expect.Error(t, "Restore", expect.ErrorOf(Restore(t.Context(), dir, file, true)), ErrDatabaseInUse)
	add(t, store, sample(3)) // the program goes on
	expect.Same(t, "inquiries", 4, len(ids(t, openStore(t, dir), InquiryQuery{})))
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	backup, _ := backupOf(t)
	whole := expect.Value(os.ReadFile(backup))(t)
	damaged := append([]byte{}, whole...)
	for at := 4096; at < len(damaged); at += 4096 {
		copy(damaged[at:], "damaged damaged damaged damaged")
	}
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		expect.Write(t, path, text)
		return path
	}
	changed := func(name string, before []byte, text string) string {
		path := write(name, before)
		expect.OK(t, execute(path, text))
		return path
	}
	of := func(version int) string {
		return fmt.Sprintf(`%s; INSERT INTO schema_versions VALUES (%d)`, versionTable, version)
	}
	const trigger = `CREATE TRIGGER lose AFTER INSERT ON inquiries BEGIN DELETE FROM inquiries; END`
	for _, test := range []struct {
		file    string
		is      error
		message string
	}{
		{changed("tableless", whole, `DROP TABLE day_totals`), ErrNoBackup, "no table day_totals"},
		{changed("trigger", whole, trigger), ErrNoBackup, "foreign trigger lose"},
		{write("empty", nil), ErrNoBackup, ""},
		{write("text", []byte("Some text that is long enough.")), nil, "damaged"},
		{write("half", whole[:len(whole)/2]), nil, "damaged"},
		{write("damaged", damaged), nil, "damaged"},
		{changed("foreign", nil, `CREATE TABLE x (y TEXT)`), ErrNoBackup, ""},
		{changed("newer", nil, of(9999)), nil, "newer frontdesk"},
		{changed("early", nil, of(1)), ErrNoBackup, "no table"},
	} {
		t.Run(filepath.Base(test.file), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			store := openStore(t, dir)
			fill(t, store, 2)
			expect.OK(t, store.Close())
			_, err := Restore(t.Context(), dir, test.file, true)
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("error = %v, want %v with %q", err, test.is, test.message)
			}
			expect.Same(t, "files", []string{FileName}, filesOf(t, dir))
			expect.Same(t, "inquiries are left", 2, len(ids(t, openStore(t, dir), InquiryQuery{})))
		})
	}
}

func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	foreign := t.TempDir()
	expect.OK(t, execute(filepath.Join(foreign, FileName), `CREATE TABLE x (y TEXT)`))
	for dir, message := range map[string]string{t.TempDir(): "no database at", foreign: "not a frontdesk database"} {
		expect.Says(t, dir, Backup(t.Context(), dir, filepath.Join(t.TempDir(), "b.db")), message)
	}
}
