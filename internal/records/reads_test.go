package records

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

func TestReadsDoNotWaitForWriters(t *testing.T) { eachDatabase(t, testReadsDoNotWaitForWriters) }

func testReadsDoNotWaitForWriters(t *testing.T, at Options) {
	store := openAt(t, at)
	must(t, store.AddInquiryOnce(t.Context(), sample(1), Key{Hash: "first"}, longAgo, nil))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	writing, err := store.db.BeginTx(ctx, nil)
	must(t, err)
	must(t, addInquiry(ctx, writing, sample(2)))
	if inq, err := store.InquiryByKey(ctx, Key{Hash: "first"}, longAgo); err != nil || inq.ID != sample(1).ID {
		t.Errorf("a key, while another is stored: %q, %v", inq.ID, err)
	}
	if err := store.Export(ctx, io.Discard, time.Time{}); err != nil {
		t.Errorf("export, while an inquiry is stored: %v", err)
	}
	if _, err := store.Inquiry(ctx, sample(2).ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is not committed is seen: %v", err)
	}
	must(t, writing.Commit())
	if _, err := store.Inquiry(ctx, sample(2).ID); err != nil {
		t.Errorf("what is committed is not seen: %v", err)
	}
}

// TestReadsChangeNothing: SQLite refuses a write on a connection that only reads.
func TestReadsChangeNothing(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	if _, err := store.reads.ExecContext(t.Context(), `DELETE FROM inquiries`); err == nil {
		t.Error("a connection for reading has written")
	}
}
