package disk

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

// follow sends the text of file at the start and after each reported change.
func follow(t *testing.T, dir, file string) <-chan string {
	t.Helper()
	changes := make(chan string, 1000)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		Folder{Path: dir, Within: []string{"pages"}, Log: zerolog.Nop()}.Run(ctx, func() {
			text, _ := os.ReadFile(filepath.Join(dir, file))
			changes <- string(text)
		})
	})
	t.Cleanup(func() { stop(); running.Wait() })
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
	const name = "faq.yaml"
	dir := filepath.Join(t.TempDir(), "content")
	file := filepath.Join(dir, name)
	write(t, dir, name, "first")
	changes := follow(t, dir, name)
	waitFor(t, changes, "first")

	write(t, dir, name, "in place")
	waitFor(t, changes, "in place")

	write(t, dir, name+"~", "renamed over")
	expect.OK(t, os.Rename(file+"~", file))
	waitFor(t, changes, "renamed over")

	expect.OK(t, os.Remove(file))
	waitFor(t, changes, "")

	expect.OK(t, os.RemoveAll(dir))
	write(t, dir, name, "back")
	waitFor(t, changes, "back")

	expect.OK(t, os.Rename(dir, dir+".old"))
	waitFor(t, changes, "")
	write(t, dir+".old", name, "elsewhere")
	expect.OK(t, os.Rename(dir+".old", dir))
	waitFor(t, changes, "elsewhere")

	const nested = "pages/tr/a.md"
	pages := follow(t, dir, nested)
	for _, text := range []string{"created later", "and changed"} {
		write(t, dir, nested, text)
		waitFor(t, pages, text)
	}
}

const page = "pages/a.md"

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	expect.OK(t, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
}

func swap(t *testing.T, target, link string) {
	t.Helper()
	expect.OK(t, os.Symlink(target, link+"_tmp"), os.Rename(link+"_tmp", link))
}

// As Kubernetes swaps versions: names are links through ..data, a link to the folder of a version, and the one before
// is deleted.
func TestConfigMap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "..1"), page, "one")
	swap(t, "..1", filepath.Join(dir, "..data"))
	expect.OK(t, os.Symlink(filepath.Join("..data", "pages"), filepath.Join(dir, "pages")))
	changes := follow(t, dir, page)
	waitFor(t, changes, "one")
	before, now := "..1", "..2"
	for _, text := range []string{"two", "three"} {
		write(t, filepath.Join(dir, now), page, text)
		swap(t, now, filepath.Join(dir, "..data"))
		expect.OK(t, os.RemoveAll(filepath.Join(dir, before)))
		waitFor(t, changes, text)
		before, now = now, before
	}
	write(t, dir, page, "in place")
	waitFor(t, changes, "in place")
}

func TestLinkToFolder(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	write(t, filepath.Join(above, "1"), page, "one")
	write(t, filepath.Join(above, "2"), page, "two")
	current := filepath.Join(above, "current")
	swap(t, "1", current)
	changes := follow(t, current, page)
	waitFor(t, changes, "one")
	swap(t, "2", current)
	waitFor(t, changes, "two")
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "content")
	expect.OK(t, os.Mkdir(dir, 0o700))
	changes := follow(t, dir, "a")
	waitFor(t, changes, "")
	for range 3 {
		write(t, above, "log", "x")
		select {
		case <-changes:
			t.Fatal("a change of a sibling is reported")
		case <-time.After(2 * quiet): // a report would have come by now
		}
	}
	write(t, dir, "a", "here")
	waitFor(t, changes, "here")
}
