package records

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

func (at Options) TestPrune(t *testing.T) {
	store := openAt(t, at)
	retried := in(Failed, 3)
	retried.CreatedAt, retried.RetryAt = sample(0).CreatedAt, leaseEnd
	pending := in(Pending, 4)
	pending.CreatedAt = retried.CreatedAt
	add(t, store, retried)
	add(t, store, pending)
	for n := range 3 {
		add(t, store, in(Sent, n))
		addWorkspace(t, store, draft(n))
		at := sample(n).CreatedAt
		expect.OK(t, store.addFeedback(t.Context(), Feedback{Q: "x", CreatedAt: at}),
			store.addQuestion(t.Context(), Question{Key: fmt.Sprint(n), Q: "x", LastAt: at}))
	}
	keep := Retention{Retried: time.Hour}
	expect.Same(t, "Prune", 8, expect.Value(store.Prune(t.Context(), keep, sample(2).CreatedAt))(t))
	if left := questionsOf(t, store); len(left) != 1 || left[0].Number != 3 {
		t.Errorf("questions left = %v; want the third", left)
	}
	expect.Same(t, "inquiries left", []string{"inq_2", "inq_4", "inq_3"}, ids(t, store, InquiryQuery{}))
	expect.Same(t, "feedback left", 1, len(feedbackOf(t, store)))
	expect.Same(t, "workspaces left", 1, len(expect.Value(store.Workspaces(t.Context()))(t)))
	expect.Same(t, "Prune when no mail is retried any more", 5, prune(t, store, leaseEnd))
	expect.Same(t, "the mail that was not tried", []string{"inq_4"}, ids(t, store, InquiryQuery{}))
}

// A step that fails does not keep the others from running, and is reported.
func (at Options) TestPruneGoesOn(t *testing.T) {
	store := openAt(t, at)
	addWorkspace(t, store, draft(0))
	expect.OK(t, store.AddOwnerKey(t.Context(), SignInLink, "a", noon))
	for _, table := range []string{"feedback", "inquiry_keys", "questions"} {
		expect.Value(store.db.Exec(`ALTER TABLE ` + table + ` RENAME TO away_` + table))(t)
	}
	deleted, err := store.Prune(t.Context(), Retention{}, noon)
	if err == nil || deleted != 1 {
		t.Fatalf("Prune = %d, %v; want the workspace and an error", deleted, err)
	}
	for line := range strings.Lines(err.Error()) {
		expect.Same(t, "the error is shown as "+line, 1, strings.Count(line, "records: "))
	}
	expect.Same(t, "the key that has expired is left",
		false, expect.Value(store.HasOwnerKey(t.Context(), SignInLink, "a", noon.Add(-time.Hour)))(t))
}

type silent struct{ driver.Connector }

func (silent) Connect(ctx context.Context) (driver.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// While the database does not answer, no step of Prune keeps other writes waiting for long.
func TestPruneLetsOthersWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := poolOf(silent{})
		defer store.Close()
		store.background = make(chan struct{}, 1)
		began, ended := time.Now(), make(chan error)
		go func() { ended <- expect.ErrorOf(store.Prune(t.Context(), Retention{}, noon)) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 2*longTimeout)
		defer cancel()
		written := store.inBackground(ctx, "write", func(context.Context) error { return nil })
		expect.AtMost(t, "the wait of a write", listTimeout, time.Since(began))
		expect.Error(t, "Prune", <-ended, context.DeadlineExceeded)
		expect.AtMost(t, "the time of Prune", longTimeout/10, time.Since(began))
		expect.OK(t, written)
	})
}

// No file of an open SQLite database holds a byte of what was deleted, and the disk has its space back.
func TestDeletedRowsAreGone(t *testing.T) {
	t.Parallel()
	const rows, secret = 10 * prunePage, "Erased-Person"
	dir := t.TempDir()
	store := openStore(t, dir)
	for n := range rows {
		inquiry := in(Sent, n)
		inquiry.ID, inquiry.MessageID = fmt.Sprintf("inq_%04d", n), fmt.Sprint(n)
		if n%10 > 0 { // nine of ten are old
			inquiry.CreatedAt = time.UnixMicro(1)
			inquiry.Name, inquiry.Message = secret, strings.Repeat(secret+" ", n%40)
		}
		add(t, store, inquiry)
	}
	if size, found := searched(t, dir, secret); !found {
		t.Fatalf("the test writes nothing that could be found in %d bytes", size)
	}
	before := expect.Value(os.Stat(filepath.Join(dir, FileName)))(t)
	expect.Same(t, "Prune", rows*9/10, prune(t, store, sample(0).CreatedAt))
	if size, found := searched(t, dir, secret); found || size > before.Size()/2 { // the pages of empty tables stay
		t.Errorf("deleted text found: %v; %d bytes, before %d", found, size, before.Size())
	}
	expect.Same(t, "inquiries are left", rows/10, len(ids(t, store, InquiryQuery{})))
}

func searched(t *testing.T, dir, text string) (size int64, found bool) {
	t.Helper()
	for _, name := range filesOf(t, dir) {
		content := expect.File(t, filepath.Join(dir, name))
		if !strings.HasSuffix(name, "-shm") { // an index of the log, as large as it ever was
			size += int64(len(content))
		}
		found = found || strings.Contains(content, text)
	}
	return size, found
}
