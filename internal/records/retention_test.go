package records

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

func (at Options) TestPrune(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 3)
	for n := range 3 {
		feedback := Feedback{Q: "x", CreatedAt: sample(n).CreatedAt}
		expect.OK(t, store.addFeedback(t.Context(), feedback), expect.ErrorOf(store.AddWorkspace(t.Context(), draft(n), Key{})))
		question := Question{Key: fmt.Sprint(n), Q: "x", LastAt: sample(n).CreatedAt}
		expect.OK(t, store.addQuestion(t.Context(), question))
	}
	deleted, err := store.Prune(t.Context(), Retention{}, sample(2).CreatedAt)
	if err != nil || deleted != 8 {
		t.Fatalf("Prune = %d, %v; want 8 rows", deleted, err)
	}
	if left, err := store.Questions(t.Context()); err != nil || len(left) != 1 || left[0].Number != 3 {
		t.Errorf("questions left = %v, %v; want the third", left, err)
	}
	expect.Same(t, "inquiries left", []string{"inq_2"}, ids(t, store, InquiryQuery{}))
	if left := feedbackOf(t, store); len(left) != 1 {
		t.Errorf("feedback left = %v; want one", left)
	}
	if left, err := store.Workspaces(t.Context()); err != nil || len(left) != 1 {
		t.Errorf("workspaces left = %v, %v; want one", left, err)
	}
}

// A step that fails does not keep the others from running, and is reported.
func (at Options) TestPruneGoesOn(t *testing.T) {
	store := openAt(t, at)
	expect.OK(t, expect.ErrorOf(store.AddWorkspace(t.Context(), draft(0), Key{})))
	expect.OK(t, store.AddOwnerKey(t.Context(), SignInLink, "a", noon))
	for _, table := range []string{"feedback", "inquiry_keys", "questions"} {
		expect.OK(t, expect.ErrorOf(store.db.Exec(`ALTER TABLE `+table+` RENAME TO away_`+table)))
	}
	deleted, err := store.Prune(t.Context(), Retention{}, noon)
	if err == nil || deleted != 1 {
		t.Fatalf("Prune = %d, %v; want the workspace and an error", deleted, err)
	}
	for line := range strings.Lines(err.Error()) {
		if strings.Count(line, "records: ") != 1 {
			t.Errorf("the error is shown as %q", line)
		}
	}
	if left, err := store.HasOwnerKey(t.Context(), SignInLink, "a", noon.Add(-time.Hour)); err != nil || left {
		t.Errorf("the key that has expired is left: %v, %v", left, err)
	}
}

// After Prune no file of an SQLite database holds a byte of what
// was deleted, although rows that stay were in the same pages, and the disk has its space
// back. The store stays open, as in a service.
func TestDeletedRowsAreGone(t *testing.T) {
	t.Parallel()
	const rows, secret = 2 * prunePage, "Erased-Person"
	dir := t.TempDir()
	store := openStore(t, dir)
	for n := range rows {
		inquiry := sample(n)
		inquiry.ID, inquiry.MessageID = fmt.Sprintf("inq_%04d", n), fmt.Sprint(n)
		if n%10 > 0 { // nine of ten are old
			inquiry.CreatedAt = time.UnixMicro(1)
			inquiry.Name, inquiry.Message = secret, strings.Repeat(secret+" ", n%40)
		}
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, Key{})))
	}
	if size, found := searched(t, dir, secret); !found {
		t.Fatalf("the test writes nothing that could be found in %d bytes", size)
	}
	before := expect.Value(os.Stat(filepath.Join(dir, FileName)))(t)
	if deleted, err := store.Prune(t.Context(), Retention{}, sample(0).CreatedAt); err != nil || deleted != rows*9/10 {
		t.Fatalf("Prune = %d, %v; want %d rows", deleted, err, rows*9/10)
	}
	if size, found := searched(t, dir, secret); found || size > before.Size()/2 { // the pages of empty tables stay
		t.Errorf("deleted text found: %v; %d bytes, before %d", found, size, before.Size())
	}
	if left := ids(t, store, InquiryQuery{}); len(left) != rows/10 {
		t.Errorf("%d inquiries are left, want %d", len(left), rows/10)
	}
}

func searched(t *testing.T, dir, text string) (size int64, found bool) {
	t.Helper()
	for _, name := range filesOf(t, dir) {
		content := expect.Value(os.ReadFile(filepath.Join(dir, name)))(t)
		if !strings.HasSuffix(name, "-shm") { // an index of the log, as large as it ever was
			size += int64(len(content))
		}
		found = found || bytes.Contains(content, []byte(text))
	}
	return size, found
}
