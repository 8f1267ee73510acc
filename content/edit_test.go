package content

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

// TestApply writes the file in place, with its mode, and leaves nothing beside it.
func TestApply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.OK(t, expect.ErrorOf(Init(dir, "")))
	kept := filepath.Join(t.TempDir(), "kept.yaml")
	expect.OK(t, errors.Join(os.Rename(filepath.Join(dir, faqFile), kept), os.Symlink(kept, filepath.Join(dir, faqFile)), os.Chmod(kept, 0o640)))
	edit, err := AddAlternate(os.DirFS(dir), "refunds", "Will you pay me back?")
	expect.OK(t, err)
	before, err := os.ReadFile(kept)
	if err != nil || strings.Contains(string(before), "pay me back") {
		t.Fatalf("the file is changed before the change is applied (%v)", err)
	}
	expect.OK(t, Apply(t.Context(), dir, edit))
	after, err := os.ReadFile(kept)
	expect.OK(t, err)
	if want := strings.Replace(string(before), "      - My invoice from you is wrong. Is it corrected?\n", "      - My invoice from you is wrong. Is it corrected?\n      - Will you pay me back?\n", 1); string(after) != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, string(after)))
	}
	info, err := os.Stat(kept)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for _, folder := range []string{dir, filepath.Dir(kept)} {
		left, _ := filepath.Glob(filepath.Join(folder, ".*"))
		if left = slices.DeleteFunc(left, func(path string) bool { return filepath.Base(path) == lockFile }); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// TestApplyAtOnce: of corrections that were made of the same text, one is applied and the
// others fail.
func TestApplyAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.OK(t, expect.ErrorOf(Init(dir, "")))
	var edits [8]*Edit
	for i := range edits {
		var err error
		if edits[i], err = AddAlternate(os.DirFS(dir), "refunds", fmt.Sprintf("Will you pay me back %d times?", i)); err != nil {
			t.Fatal(err)
		}
	}
	var editors sync.WaitGroup
	results := make(chan error, len(edits))
	for _, edit := range edits {
		editors.Go(func() { results <- Apply(t.Context(), dir, edit) })
	}
	editors.Wait()
	close(results)
	applied := 0
	for err := range results {
		if err == nil {
			applied++
		} else if !errors.Is(err, ErrChanged) {
			t.Error(err)
		}
	}
	expect.Same(t, "corrections of the same text were applied", 1, applied)
}
