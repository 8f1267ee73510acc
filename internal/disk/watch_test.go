package disk

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

// follow watches a folder until the test ends. Its channel receives the text of file at
// the start and after each reported change.
func follow(t *testing.T, folder Folder, file string) <-chan string {
	t.Helper()
	changes := make(chan string, 1000)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		folder.Run(ctx, func() {
			text, err := os.ReadFile(filepath.Join(folder.Path, file))
			if err != nil {
				text = nil
			}
			changes <- string(text)
		})
	}()
	t.Cleanup(func() { stop(); <-ended })
	return changes
}

func waitFor(t *testing.T, changes <-chan string, want string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		select {
		case text := <-changes:
			if text == want {
				return
			}
		case <-deadline:
			t.Fatalf("no report of %q", want)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "content")
	file := filepath.Join(dir, "faq.yaml")
	expect.OK(t, os.Mkdir(dir, 0o700), os.WriteFile(file, []byte("first"), 0o600))
	changes := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, "faq.yaml")
	waitFor(t, changes, "first")

	expect.OK(t, os.WriteFile(file, []byte("in place"), 0o600))
	waitFor(t, changes, "in place")

	expect.OK(t, os.WriteFile(file+"~", []byte("renamed over"), 0o600), os.Rename(file+"~", file))
	waitFor(t, changes, "renamed over")

	expect.OK(t, os.Remove(file))
	waitFor(t, changes, "")

	expect.OK(t, os.RemoveAll(dir))
	expect.OK(t, os.Mkdir(dir, 0o700), os.WriteFile(file, []byte("back"), 0o600))
	waitFor(t, changes, "back")

	expect.OK(t, os.Rename(dir, dir+".old"))
	waitFor(t, changes, "")
	expect.OK(t, os.WriteFile(filepath.Join(dir+".old", "faq.yaml"), []byte("elsewhere"), 0o600), os.Rename(dir+".old", dir))
	waitFor(t, changes, "elsewhere")

	pages := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	for _, text := range []string{"created later", "and changed"} {
		version(t, dir, text)
		waitFor(t, pages, text)
	}
}

func version(t *testing.T, dir, text string) {
	t.Helper()
	expect.OK(t, os.MkdirAll(filepath.Join(dir, "pages"), 0o700), os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte(text), 0o600))
}

func swap(t *testing.T, target, link string) {
	t.Helper()
	expect.OK(t, os.Symlink(target, link+"_tmp"), os.Rename(link+"_tmp", link))
}

// TestConfigMap swaps versions as Kubernetes does: the names in the folder are links
// through ..data, which is a link to the folder of a version, and the version before
// is deleted.
func TestConfigMap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	version(t, filepath.Join(dir, "..1"), "one")
	swap(t, "..1", filepath.Join(dir, "..data"))
	expect.OK(t, os.Symlink(filepath.Join("..data", "pages"), filepath.Join(dir, "pages")))
	changes := follow(t, Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	waitFor(t, changes, "one")
	for i, text := range []string{"two", "three"} {
		before, now := "..1", "..2"
		if i%2 == 1 {
			before, now = now, before
		}
		version(t, filepath.Join(dir, now), text)
		swap(t, now, filepath.Join(dir, "..data"))
		expect.OK(t, os.RemoveAll(filepath.Join(dir, before)))
		waitFor(t, changes, text)
	}
	// The folder behind the link is watched.
	expect.OK(t, os.WriteFile(filepath.Join(dir, "pages", "a.md"), []byte("in place"), 0o600))
	waitFor(t, changes, "in place")
}

func TestLinkToFolder(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	version(t, filepath.Join(above, "1"), "one")
	version(t, filepath.Join(above, "2"), "two")
	current := filepath.Join(above, "current")
	swap(t, "1", current)
	changes := follow(t, Folder{Path: current, Within: []string{"pages"}, Log: zerolog.Nop()}, filepath.Join("pages", "a.md"))
	waitFor(t, changes, "one")
	swap(t, "2", current)
	waitFor(t, changes, "two")
}

// TestNeighbours changes siblings of the folder, which must not be reported.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "content")
	expect.OK(t, os.Mkdir(dir, 0o700))
	changes := follow(t, Folder{Path: dir, Log: zerolog.Nop()}, "a")
	waitFor(t, changes, "")
	for range 3 {
		expect.OK(t, os.WriteFile(filepath.Join(above, "log"), []byte("x"), 0o600))
		select {
		case <-changes:
			t.Fatal("a change of a sibling is reported")
		case <-time.After(2 * quiet): // a report would have come by now
		}
	}
	expect.OK(t, os.WriteFile(filepath.Join(dir, "a"), []byte("here"), 0o600))
	waitFor(t, changes, "here")
}
