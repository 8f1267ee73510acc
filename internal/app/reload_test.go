package app_test

import (
	"fmt"
	"io/fs"
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
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// What a model chose is remembered until the content changes; its daily cap outlives that.
func TestChoicesGoWithTheContent(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, "2"))
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	first := d.Send(t, harness.NewClient(t), "POST", contract.PathAsk, harness.Question(beyond), "Traceparent: "+parent)
	harness.WantStatus(t, first, 200)
	expect.Same(t, "the model's traceparent", parent, server.Requests()[0].Parent)
	for i, want := range []contract.Reason{contract.ReasonMatched, contract.ReasonMatched, contract.ReasonRateLimitedGlobal} {
		for range 2 {
			expect.Same(t, fmt.Sprint("content ", i), want, d.Ask(t, beyond).Reason)
		}
		expect.Same(t, fmt.Sprint("calls for content ", i), min(i+1, 2), server.Calls())
		harness.Edit(t, d.Settings.Content, "faq.yaml", harness.OneAnswer(fmt.Sprintf("Version %d.", i)))
		d.Log.Wait(t, harness.Reloaded, i+1)
	}
	expect.Lacks(t, "the log", d.Log.String(), "parrot", modeltest.Key)
}

// While content is swapped, no request fails, no answer mixes two versions, and no old one is kept in memory.
func TestFiftyReloadsUnderLoad(t *testing.T) {
	t.Parallel()
	const swaps = 50
	releases, current := [2]string{harness.SmallContent(t), harness.SmallContent(t)}, filepath.Join(t.TempDir(), "current")
	catalog := expect.File(t, filepath.Join(releases[0], "catalog.yaml"))
	for n, dir := range releases {
		version := fmt.Sprintf("version %d.", n)
		harness.Edit(t, dir, "faq.yaml", harness.OneAnswer(version))
		harness.Edit(t, dir, "catalog.yaml", strings.Replace(catalog, "Linden Desk (sample)", version, 1))
	}
	// release puts a version in place as a whole, as a ConfigMap is.
	release := func(n int) {
		expect.OK(t, os.Symlink(releases[n%2], current+"~"), os.Rename(current+"~", current))
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
		live := weak.Make(d.Content.Now().Content)
		old = append(old, live)
		release(n + 1)
		d.Hangup <- syscall.SIGHUP
		harness.Eventually(t, func() bool { return weak.Make(d.Content.Now().Content) != live })
	}
	close(stop)
	readers.Wait()
	harness.Eventually(t, func() bool {
		runtime.GC()
		return !slices.ContainsFunc(old, func(p weak.Pointer[content.Content]) bool { return p.Value() != nil })
	})
}

// readWhile checks until stop that one ETag is one body, which names one version.
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

// Edits while no service runs are one row of the history at the next start, in the language of the business.
func TestEditedWhileStopped(t *testing.T) {
	t.Parallel()
	dir, data := harness.SmallContent(t), filepath.Join(t.TempDir(), "missing", "data")
	catalog := expect.File(t, filepath.Join(dir, "catalog.yaml"))
	harness.Edit(t, dir, "catalog.yaml", strings.Replace(catalog, "languages: [en]", "languages: [pt]", 1))
	faq := filepath.Join(dir, "faq.yaml")
	before := expect.File(t, faq)
	run := func(name, edit string, n int) (list []records.Change) {
		t.Run(name, func(t *testing.T) {
			d := harness.Start(t, func(s *config.Settings) { s.Content, s.Data = dir, data })
			expect.Same(t, "mode of the data folder", fs.ModeDir|0o700, expect.Value(os.Stat(data))(t).Mode())
			if edit != "" {
				harness.Edit(t, dir, "faq.yaml", strings.Replace(before, "Always.", edit, 1))
			}
			harness.Eventually(t, func() bool {
				list = expect.Value(d.Store().Changes(t.Context(), records.Page{Limit: 9}))(t)
				return len(list) >= n
			})
		})
		return list
	}
	first := run("edited while it runs", "From nine.", 1)[0]
	expect.Same(t, "the line of an edit while it runs", "Editado: faq.yaml", first.Summary)
	harness.Edit(t, dir, "faq.yaml", strings.Replace(before, "Always.", "From ten.", 1))
	list := run("edited while it was stopped", "", 2)
	if got := list[0]; got.From != first.To || got.To == got.From || got.Source != records.ByFile || got.Diff != "" || got.Summary != "Editado enquanto o serviço estava parado" {
		t.Errorf("the history has %+v", got)
	}
	list = run("not edited", "From eleven.", 3)
	if len(list) != 3 || list[0].From != list[1].To || !strings.Contains(list[0].Diff, "From eleven.") {
		t.Errorf("the history has %+v", list)
	}
}
