package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
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

	"frontdesk/internal/config"
)

// TestFiftyReloadsUnderLoad swaps the content fifty times while others ask: no
// request fails, no answer mixes two versions, and nothing of an old one is kept.
func TestFiftyReloadsUnderLoad(t *testing.T) {
	t.Parallel()
	const swaps = 50
	releases, current := [2]string{smallFAQ(t), smallFAQ(t)}, filepath.Join(t.TempDir(), "current")
	catalog, err := os.ReadFile(filepath.Join(releases[0], "catalog.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for n, dir := range releases {
		version := fmt.Sprintf("version %d.", n)
		edit(t, dir, "faq.yaml", oneAnswer(version))
		edit(t, dir, "catalog.yaml", strings.Replace(string(catalog), "Linden Desk (sample)", version, 1))
	}
	// release puts a version in place as a whole, as a ConfigMap is.
	release := func(n int) {
		if err := errors.Join(os.Symlink(releases[n%2], current+"~"), os.Rename(current+"~", current)); err != nil {
			t.Fatal(err)
		}
	}
	release(0)
	d := startDesk(t, func(s *config.Settings) { s.Content = current })
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() { readWhile(t, d, stop) })
	}
	var old []weak.Pointer[snapshot]
	for n := range swaps {
		live := weak.Make(d.live.current.Load())
		old = append(old, live)
		release(n + 1)
		d.hangup <- syscall.SIGHUP
		eventually(t, func() bool { return weak.Make(d.live.current.Load()) != live })
	}
	close(stop)
	readers.Wait()
	eventually(t, func() bool {
		runtime.GC()
		return !slices.ContainsFunc(old, func(p weak.Pointer[snapshot]) bool { return p.Value() != nil })
	})
}

// readWhile reads documents and pages until stop: one ETag is one body, and every
// version that an answer names is the same.
func readWhile(t *testing.T, d *desk, stop <-chan struct{}) {
	client := newClient(t)
	bodies := map[string]string{}
	named := regexp.MustCompile(`version \d+\.`)
	for {
		for _, path := range []string{"/v1/catalog", "/faq.md", "/llms-full.txt", "/"} {
			got := d.send(t, client, http.MethodGet, path, "")
			tag := path + got.Header.Get("ETag")
			if known, ok := bodies[tag]; got.StatusCode != http.StatusOK || ok && known != string(got.body) {
				t.Errorf("%s: %d, the tag is that of another body: %v", tag, got.StatusCode, ok)
				return
			}
			bodies[tag] = string(got.body)
			versions := map[string]bool{}
			for _, version := range named.FindAllString(string(got.body), -1) {
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

// eventually returns when something has come about.
func eventually(t testing.TB, done func() bool) {
	t.Helper()
	for tick, deadline := time.NewTicker(10*time.Millisecond), time.Now().Add(20*time.Second); !done(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatal("it never comes about")
		}
	}
}
