package app_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"weak"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// While the content is swapped and others ask, no request fails, no answer mixes two versions, and no old one is kept.
func TestFiftyReloadsUnderLoad(t *testing.T) {
	t.Parallel()
	const swaps = 50
	releases, current := [2]string{harness.SmallContent(t), harness.SmallContent(t)}, filepath.Join(t.TempDir(), "current")
	catalog := expect.Value(os.ReadFile(filepath.Join(releases[0], "catalog.yaml")))(t)
	for n, dir := range releases {
		version := fmt.Sprintf("version %d.", n)
		harness.Edit(t, dir, "faq.yaml", harness.OneAnswer(version))
		harness.Edit(t, dir, "catalog.yaml", strings.Replace(string(catalog), "Linden Desk (sample)", version, 1))
	}
	// release puts a version in place as a whole, as a ConfigMap is.
	release := func(n int) {
		expect.OK(t, errors.Join(os.Symlink(releases[n%2], current+"~"), os.Rename(current+"~", current)))
	}
	release(0)
	d := harness.Start(t, func(s *config.Settings) { s.Content = current })
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() { readWhile(t, d, stop) })
	}
	var old []weak.Pointer[content.Content]
	for n := range swaps {
		live := weak.Make(d.Live())
		old = append(old, live)
		release(n + 1)
		d.Hangup <- syscall.SIGHUP
		harness.Eventually(t, func() bool { return weak.Make(d.Live()) != live })
	}
	close(stop)
	readers.Wait()
	harness.Eventually(t, func() bool {
		runtime.GC()
		return !slices.ContainsFunc(old, func(p weak.Pointer[content.Content]) bool { return p.Value() != nil })
	})
}

// readWhile reads documents and pages until stop: one ETag is one body, which names one version.
func readWhile(t *testing.T, d *harness.Desk, stop <-chan struct{}) {
	client := harness.NewClient(t)
	bodies := map[string]string{}
	named := regexp.MustCompile(`version \d+\.`)
	for {
		for _, path := range []string{"/v1/catalog", "/faq.md", "/llms-full.txt", "/"} {
			got := d.Send(t, client, "GET", path, "")
			tag := path + got.Header.Get("ETag")
			if known, ok := bodies[tag]; got.StatusCode != 200 || ok && known != string(got.Text) {
				t.Errorf("%s: %d, the tag is that of another body: %v", tag, got.StatusCode, ok)
				return
			}
			bodies[tag] = string(got.Text)
			versions := map[string]bool{}
			for _, version := range named.FindAllString(string(got.Text), -1) {
				versions[version] = true
			}
			if len(versions) > 1 {
				t.Errorf("%s mixes %v", path, slices.Collect(maps.Keys(versions)))
			}
		}
		select {
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond): // leave the machine to the reloads
		}
	}
}
