package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
)

func in(dir string) func(*config.Settings) {
	return func(s *config.Settings) { s.Data = dir }
}

func started(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	_, keyErr := signing.OpenKey(dir)
	expect.OK(t, keyErr, store.Close())
	return dir
}

func spoilt(t *testing.T, name string) string {
	t.Helper()
	dir := started(t)
	expect.Write(t, filepath.Join(dir, name), "nonsense, long enough to be no empty file at all")
	return dir
}

func TestDataFolder(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).dataFolder)
	dir := t.TempDir()
	finds(in(dir), OK, "can be written")
	expect.Same(t, "files after the check", 0, len(expect.Value(os.ReadDir(dir))(t)))
	missing := filepath.Join(dir, "missing")
	finds(in(missing), Warning, "does not exist yet")
	expect.Error(t, "the folder", expect.ErrorOf(os.Stat(missing)), fs.ErrNotExist)
	file := filepath.Join(spoilt(t, records.FileName), records.FileName)
	finds(in(file), Failed, "not a folder")
	finds(in(filepath.Join(file, "below")), Failed, "not a directory")
	if _, err := os.Stat("/proc/self"); err == nil { // not even root can write to it
		finds(in("/proc/self"), Failed, "/proc/self")
	}
}

func TestDatabase(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).database)
	finds(in(started(t)), OK, records.FileName)
	finds(in(t.TempDir()), Skipped, "first start creates")
	finds(in(spoilt(t, records.FileName)), Failed, "not a database")
}

func TestDatabaseOfSeveral(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).database)
	server := programs.Postgres(t)
	url := strings.Replace(server.URL, "desk@", "desk:"+password+"@", 1)
	at := func(s *config.Settings) { s.DatabaseURL = url }
	finds(at, OK, "PostgreSQL at ")
	url += "&default_transaction_read_only=on"
	finds(at, Failed, "read-only")
	server.Stop()
	finds(at, Failed, "refused")
}

func TestSigningKey(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).signingKey)
	dir := started(t)
	key := expect.Value(signing.OpenKey(dir))(t)
	finds(in(dir), OK, key.ID+", in the data folder")
	finds(nil, Skipped, "first start creates")
	finds(func(s *config.Settings) { s.RedisURL = "redis://127.0.0.1:1/0" }, Warning, "a key of its own")
	finds(in(spoilt(t, signing.KeyFile)), Failed, signing.KeyFile)
	want(t, with(t, func(s *config.Settings) { s.SigningKeyFile = filepath.Join(dir, signing.KeyFile) }).signingKey(t.Context()),
		OK, key.ID+", from the settings")
}

func TestRedis(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).redis)
	finds(nil, Skipped, "none is set")
	server := programs.Redis(t, "--requirepass", password)
	at := func(url string) func(*config.Settings) { return func(s *config.Settings) { s.RedisURL = url } }
	url := strings.Replace(server.URL, "redis://", "redis://:"+password+"@", 1)
	finds(at(url), OK, server.Addr)
	finds(at(server.URL), Failed, "NOAUTH")
	server.Stop()
	finds(at(url), Failed, "refused")
}

func TestDisk(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).disk)
	dir := started(t)
	expect.Write(t, filepath.Join(dir, "mail"), make([]byte, 3_000_000))
	e := with(t, in(dir))
	want(t, e.disk(t.Context()), OK, "free; a backup needs up to 6.")
	finds(in(filepath.Join(dir, "missing")), Skipped, "does not exist yet")

	backups := filepath.Join(dir, "backups") // old ones are not in a backup
	expect.OK(t, os.Mkdir(backups, 0o700))
	expect.Write(t, filepath.Join(backups, "frontdesk-20260101T000000Z.tar.gz"), make([]byte, 1_000_000))
	finds(func(s *config.Settings) { in(dir)(s); s.Backup = "daily" }, OK, "a backup needs up to 6.")
	expect.OK(t, os.Truncate(filepath.Join(dir, "mail"), 1<<42)) // a sparse file, larger than the disk
	want(t, e.disk(t.Context()), Warning, "a backup needs up to 8.8 TB")
}
