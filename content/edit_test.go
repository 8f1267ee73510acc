package content

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApply writes the file in place, with its mode, and leaves nothing beside it.
func TestApply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Init(dir, ""); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(t.TempDir(), "kept.yaml")
	if err := errors.Join(os.Rename(filepath.Join(dir, faqFile), kept), os.Symlink(kept, filepath.Join(dir, faqFile)), os.Chmod(kept, 0o640)); err != nil {
		t.Fatal(err)
	}
	edit, err := AddAlternate(os.DirFS(dir), "refunds", "Will you pay me back?")
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(kept)
	if err != nil || strings.Contains(string(before), "pay me back") {
		t.Fatalf("the file is changed before the change is applied (%v)", err)
	}
	if err := edit.Apply(dir); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(before), "      - My invoice from you is wrong. Is it corrected?\n", "      - My invoice from you is wrong. Is it corrected?\n      - Will you pay me back?\n", 1); string(after) != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, string(after)))
	}
	info, err := os.Stat(kept)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for _, folder := range []string{dir, filepath.Dir(kept)} {
		if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}
