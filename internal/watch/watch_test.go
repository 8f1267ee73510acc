package watch

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// follow watches a folder until the test ends. It returns what arrives with each
// change, and at the beginning: the text of file then.
func follow(t *testing.T, folder Folder, file string) <-chan string {
	t.Helper()
	told := make(chan string, 1000)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		folder.Run(ctx, func() {
			text, err := os.ReadFile(filepath.Join(folder.Path, file))
			if err != nil {
				text = nil
			}
			told <- string(text)
		})
	}()
	t.Cleanup(func() { stop(); <-ended })
	return told
}

// until waits for a change with which the file holds want.
func until(t *testing.T, told <-chan string, want string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		select {
		case text := <-told:
			if text == want {
				return
			}
		case <-deadline:
			t.Fatalf("nobody told of %q", want)
		}
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestChanges makes the changes that owners and their tools make, one after the
// other in one folder.
func TestChanges(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "content")
	file := filepath.Join(dir, "faq.yaml")
	must(t, os.Mkdir(dir, 0o700), os.WriteFile(file, []byte("first"), 0o600))
	told := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, "faq.yaml")
	until(t, told, "first")

	must(t, os.WriteFile(file, []byte("in place"), 0o600))
	until(t, told, "in place")

	must(t, os.WriteFile(file+"~", []byte("renamed over"), 0o600), os.Rename(file+"~", file))
	until(t, told, "renamed over")

	must(t, os.Remove(file))
	until(t, told, "")

	must(t, os.RemoveAll(dir))
	must(t, os.Mkdir(dir, 0o700), os.WriteFile(file, []byte("back"), 0o600))
	until(t, told, "back")

	must(t, os.Rename(dir, dir+".old"))
	until(t, told, "")
	must(t, os.WriteFile(filepath.Join(dir+".old", "faq.yaml"), []byte("elsewhere"), 0o600), os.Rename(dir+".old", dir))
	until(t, told, "elsewhere")
}

// TestFolderWithin follows a folder in the folder, also when it comes later.
func TestFolderWithin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	told := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	until(t, told, "")

	must(t, os.Mkdir(filepath.Join(dir, "pages"), 0o700), os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte("one"), 0o600))
	until(t, told, "one")
	must(t, os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte("two"), 0o600))
	until(t, told, "two")
}

// version makes the folder of a version with one file.
func version(t *testing.T, dir, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(dir, "pages"), 0o700), os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte(text), 0o600))
}

// swap lets a link stand for another target, atomically.
func swap(t *testing.T, target, link string) {
	t.Helper()
	must(t, os.Symlink(target, link+"_tmp"), os.Rename(link+"_tmp", link))
}

// TestConfigMap swaps versions as Kubernetes does: the names in the folder are links
// through ..data, which is a link to the folder of a version, and the version before
// is deleted.
func TestConfigMap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	version(t, filepath.Join(dir, "..1"), "one")
	swap(t, "..1", filepath.Join(dir, "..data"))
	must(t, os.Symlink(filepath.Join("..data", "pages"), filepath.Join(dir, "pages")))
	told := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	until(t, told, "one")
	for i, text := range []string{"two", "three"} {
		before, now := "..1", "..2"
		if i%2 == 1 {
			before, now = now, before
		}
		version(t, filepath.Join(dir, now), text)
		swap(t, now, filepath.Join(dir, "..data"))
		must(t, os.RemoveAll(filepath.Join(dir, before)))
		until(t, told, text)
	}
	// The folder behind the link is the one that is watched.
	must(t, os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte("in place"), 0o600))
	until(t, told, "in place")
}

// TestLinkToFolder swaps the folder itself, as releases are swapped.
func TestLinkToFolder(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	version(t, filepath.Join(above, "1"), "one")
	version(t, filepath.Join(above, "2"), "two")
	current := filepath.Join(above, "current")
	swap(t, "1", current)
	told := follow(t, Folder{Path: current, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	until(t, told, "one")
	swap(t, "2", current)
	until(t, told, "two")
}

// TestBurst writes without a pause: nothing is reported while that goes on, which is
// logged once, and the change is reported when it is over.
func TestBurst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lines := &safeLog{}
	told := follow(t, Folder{Path: dir, Log: zerolog.New(lines)}, "a")
	until(t, told, "")
	last, longest := time.Now(), time.Duration(0)
	for began := time.Now(); time.Since(began) < 2*busy; time.Sleep(quiet / 50) {
		must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("again"), 0o600))
		longest, last = max(longest, time.Since(last)), time.Now()
	}
	if n := len(told); n > 0 && longest < quiet/2 { // else the machine has made the pause
		t.Errorf("told %d times while the folder was changing", n)
	}
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("over"), 0o600))
	until(t, told, "over")
	if n := lines.count("still changing"); n != 1 && longest < quiet/2 {
		t.Errorf("%d log lines about the folder that is changing, want 1", n)
	}
}

// safeLog is a log that is written while it is read.
type safeLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *safeLog) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}

// TestNeighbours changes what lies beside the folder, which concerns nobody.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "content")
	must(t, os.Mkdir(dir, 0o700))
	told := follow(t, Folder{Path: dir, Log: zerolog.Nop()}, "a")
	until(t, told, "")
	for range 3 {
		must(t, os.WriteFile(filepath.Join(above, "log"), []byte("x"), 0o600))
		select {
		case <-told:
			t.Fatal("told of a neighbour")
		case <-time.After(2 * quiet): // when it would have been told
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("here"), 0o600))
	until(t, told, "here")
}

// TestFolderThatComes starts before there is any folder, and says so once.
func TestFolderThatComes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "later", "content")
	lines, log := io.Pipe()
	told := follow(t, Folder{Path: dir, Log: zerolog.New(log)}, "a")
	if _, err := lines.Read(make([]byte, 4096)); err != nil {
		t.Fatal(err)
	}
	must(t, os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "a"), []byte("here"), 0o600))
	until(t, told, "here")
}
