package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/span"
)

func TestOpenMakesAPrivateDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c#d%41", "data") // what an address would have to escape
	expect.OK(t, os.MkdirAll(dir, 0o700))
	fill(t, openStore(t, dir), 1)
	for _, name := range []string{FileName, FileName + "-wal"} {
		expect.Same(t, "mode of "+name, 0o600, expect.Value(os.Stat(filepath.Join(dir, name)))(t).Mode().Perm())
	}
}

func TestDurability(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	for pragma, want := range map[string]string{
		"journal_mode": "wal",
		"synchronous":  "2", // FULL
		"busy_timeout": "0",
		"foreign_keys": "1",
	} {
		expect.Same(t, pragma, []string{want}, textsOf(t, store.db, "PRAGMA "+pragma))
	}
}

func hold(t *testing.T, path, begin string) *sql.DB {
	t.Helper()
	holder := expect.Value(sql.Open("sqlite", path))(t)
	t.Cleanup(func() { _ = holder.Close() })
	holder.SetMaxOpenConns(1)
	expect.Value(holder.Exec(begin))(t)
	return holder
}

// What another program's lock refuses is repeated until the lock is released.
func TestUntilUnlocked(t *testing.T) {
	t.Parallel()
	path, tries := filepath.Join(t.TempDir(), FileName), 0
	holder := hold(t, path, `BEGIN EXCLUSIVE`)
	expect.OK(t, untilUnlocked(t.Context(), func() error {
		if tries++; tries == 3 {
			expect.Value(holder.Exec(`ROLLBACK`))(t)
		}
		return execute(path, `CREATE TABLE t (x)`) // does not wait for the lock
	}))
	expect.Same(t, "tries", 3, tries)
}

// A call ends with its bound, and so does one that waits behind it. SQLite itself waits for nothing, so that the clock
// of a bubble goes on.
func TestWaitsForLockAsLongAsACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		store := openStore(t, dir)
		holder := hold(t, filepath.Join(dir, FileName), `BEGIN IMMEDIATE`)
		began, request := time.Now(), new(span.Span)
		ctx := context.WithValue(t.Context(), span.Key{}, request)
		var calls sync.WaitGroup
		for n := range 3 {
			calls.Go(func() {
				expect.Says(t, "in a locked database", expect.ErrorOf(store.AddInquiry(ctx, sample(n), Key{})), "add inquiry")
				expect.Same(t, "waited", CallTimeout, time.Since(began))
			})
		}
		calls.Wait()
		expect.Same(t, "waited", 3*CallTimeout, request.Spent(span.Database))
		expect.Says(t, "a deletion", expect.ErrorOf(store.DeleteInquiry(t.Context(), "inq_0", began)), "delete inquiry")
		expect.Same(t, "waited", 2*CallTimeout, time.Since(began))
		expect.Value(holder.Exec(`ROLLBACK`))(t)
		add(t, store, sample(3))
	})
}

func (at Options) TestManyWriters(t *testing.T) {
	const programs, writers = 8, 2
	var wait sync.WaitGroup
	for program := range programs {
		wait.Go(func() {
			store, err := Open(t.Context(), at)
			if expect.Error(t, "open", err, nil); err != nil {
				return
			}
			defer store.Close()
			var inner sync.WaitGroup
			for writer := range writers {
				inner.Go(func() {
					_, err := store.AddInquiry(t.Context(), sample(program*writers+writer), Key{})
					expect.Error(t, "add inquiry", err, nil)
				})
			}
			inner.Wait()
		})
	}
	wait.Wait()
	expect.Same(t, "inquiries", programs*writers, len(ids(t, openAt(t, at), InquiryQuery{})))
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for message, prepare := range map[string]func(path string) error{
		"not a database": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no ", 500)), 0o600) },
		"is a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		path := filepath.Join(t.TempDir(), FileName)
		expect.OK(t, prepare(path))
		err := expect.ErrorOf(Open(t.Context(), Options{Dir: filepath.Dir(path)}))
		expect.Holds(t, "the error", fmt.Sprint(err), path, message)
	}
}

func execute(path, statements string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statements)
	return err
}

func (at Options) TestClose(t *testing.T) {
	store := expect.Value(Open(t.Context(), at))(t)
	expect.OK(t, store.Close())
	for name, err := range map[string]error{
		"read inquiry x": expect.ErrorOf(store.Inquiry(t.Context(), "x")),
		"list inquiries": expect.ErrorOf(store.Inquiries(t.Context(), InquiryQuery{})),
		"check write":    store.CheckWrite(t.Context()),
		"add batch":      store.addFeedback(t.Context(), Feedback{}),
		"export":         store.Export(t.Context(), io.Discard),
	} {
		rest, says := strings.CutPrefix(fmt.Sprint(err), "records: "+name+": ")
		if !says || strings.Contains(rest, "records: ") {
			t.Errorf("after Close, %s: %v; want an error that says so", name, err)
		}
	}
}

func (at Options) TestReadsDoNotWaitForWriters(t *testing.T) {
	store := openAt(t, at)
	expect.Value(store.AddInquiry(t.Context(), sample(1), Key{Hash: "first"}))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	writing := expect.Value(store.db.BeginTx(ctx, nil))(t)
	expect.Value(addInquiry(transaction{writing, ctx}, sample(2)))(t)
	expect.Same(t, "a key, while another is stored", sample(1).ID,
		expect.Value(store.InquiryByKey(ctx, Key{Hash: "first"}, longAgo))(t).ID)
	expect.Error(t, "export, while an inquiry is stored", store.Export(ctx, io.Discard), nil)
	expect.Error(t, "what is not committed is seen", expect.ErrorOf(store.Inquiry(ctx, sample(2).ID)), ErrNotFound)
	expect.OK(t, writing.Commit())
	expect.Error(t, "what is committed is not seen", expect.ErrorOf(store.Inquiry(ctx, sample(2).ID)), nil)
}

// While one is under way, others wait for their turn, and an inquiry does not.
func TestWritesThatCanWait(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	store.background <- struct{}{} // the one that is under way
	add(t, store, sample(1))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := store.AddBatch(ctx, Batch{Feedback: []Feedback{{Q: "Do you sell ships?"}}}, 1)
	expect.Error(t, "a batch", err, context.DeadlineExceeded)
}

// Every write fails, because no program could read it.
func TestDatabaseFileGone(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(path string) error{
		"deleted":         os.Remove,
		"moved":           func(path string) error { return os.Rename(path, path+".old") },
		"its log deleted": func(path string) error { return os.Remove(path + "-wal") },
		"replaced by a backup": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			store := openStore(t, dir)
			fill(t, store, 1)
			expect.OK(t, remove(filepath.Join(dir, FileName)))
			for call, err := range map[string]error{
				"AddInquiry":    expect.ErrorOf(store.AddInquiry(t.Context(), sample(1), Key{})),
				"AddWorkspace":  expect.ErrorOf(store.AddWorkspace(t.Context(), draft(1), Key{})),
				"CheckWrite":    store.CheckWrite(t.Context()),
				"SettleInquiry": store.SettleInquiry(t.Context(), in(Sent, 0)),
			} {
				expect.Error(t, call, err, ErrDatabaseGone)
			}
		})
	}
}
