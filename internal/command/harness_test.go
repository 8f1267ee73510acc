package command_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// run wants an exit code and texts on standard output, or of a failure on standard error. Words have no spaces.
func run(t *testing.T, code int, line string, want ...string) (out, stderr string) {
	t.Helper()
	got, out, stderr := harness.Command(t, strings.Fields(line)...)
	printed := out
	if code != 0 {
		printed = stderr
	}
	expect.Holds(t, "frontdesk "+line, printed, want...)
	if got != code {
		t.Errorf("frontdesk %s: exit %d, want %d: %s%s", line, got, code, out, stderr)
	}
	return out, stderr
}

func outputOf(out, _ string) string { return out }

func sampleFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "content")
	run(t, 0, "init --sample firm "+dir, "frontdesk serve --content "+dir)
	return dir
}

func contact(t *testing.T, d *harness.Desk, status int) {
	t.Helper()
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), "POST", "/v1/contact", harness.ContactBody("")), status)
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	expect.Write(t, path, text)
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	return expect.File(t, path)
}

func stored(t *testing.T, add func(store *records.Store) error) (dir string) {
	t.Helper()
	dir = t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	expect.OK(t, add(store), store.Close())
	return dir
}

func asked(t *testing.T, questions ...string) (dir string) {
	t.Helper()
	return stored(t, func(store *records.Store) error {
		for i, q := range questions { // a batch each, because that gives them their numbers
			one := records.Question{Key: q, Q: q, Unanswered: 1, LastAt: time.Unix(int64(1_700_000_000+i), 0)}
			if err := store.AddBatch(t.Context(), records.Batch{Questions: []records.Question{one}}, len(questions)); err != nil {
				return err
			}
		}
		return nil
	})
}
