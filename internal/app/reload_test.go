package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/test/harness"
)

const (
	reloaded = `"message":"content reloaded"`
	refused  = `"message":"content refused: the old content stays live"`
)

// oneAnswer is a faq.yaml whose entries have this answer.
func oneAnswer(answer string) string {
	return "fallback: I do not know.\nentries:\n" +
		"  - {id: refunds, question: Do you offer refunds?, answer: " + answer + "}\n" +
		"  - {id: hours, question: When are you open?, answer: Always.}\n"
}

// TestReloadOfChangedFiles changes the files of a running service.
func TestReloadOfChangedFiles(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = dir })
	first := d.Ask(t, "Do you offer refunds?")
	pages := d.Send(t, harness.NewClient(t), http.MethodGet, "/faq.md", "")

	harness.Edit(t, dir, "faq.yaml", oneAnswer("Within 30 days."))
	d.Log.Wait(t, reloaded, 1)
	if !regexp.MustCompile(`"revision":"[0-9a-f]{16}","entries":2,.*` + reloaded).MatchString(d.Log.String()) {
		t.Errorf("the log does not show revision and entries:\n%s", d.Log)
	}
	second := d.Ask(t, "Do you offer refunds?")
	if second.Answer != "Within 30 days." || *second.Revision == *first.Revision {
		t.Errorf("after the change: %+v, before: %+v", second, first)
	}
	changed := d.Send(t, harness.NewClient(t), http.MethodGet, "/faq.md", "", "If-None-Match: "+pages.Header.Get("ETag"))
	if changed.StatusCode != http.StatusOK || !strings.Contains(string(changed.Text), "Within 30 days.") {
		t.Errorf("/faq.md after the change: %d\n%s", changed.StatusCode, changed.Text)
	}

	// A fault in each of two files, in place, as echo and some editors write.
	expect.OK(t, errors.Join(os.WriteFile(filepath.Join(dir, "faq.yaml"), []byte(oneAnswer("Never.")+"  - {id: x, question: Why?, anwser: x}\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "golden.yaml"), []byte("answered:\n  - {q: Why, id: nobody}\n"), 0o600)))
	d.Log.Wait(t, refused, 1)
	for _, want := range []string{"faq.yaml:5: ", "golden.yaml:2: ", `"faults":3`, `"live":"` + d.Revision()} {
		if !strings.Contains(d.Log.String(), want) {
			t.Errorf("the log does not name %s:\n%s", want, d.Log)
		}
	}
	if got := d.Ask(t, "Do you offer refunds?"); got.Answer != second.Answer {
		t.Errorf("bad content went live: %+v", got)
	}

	expect.OK(t, errors.Join(os.Remove(filepath.Join(dir, "golden.yaml")), os.RemoveAll(filepath.Join(dir, "pages"))))
	harness.Edit(t, dir, "faq.yaml", oneAnswer("Within 60 days."))
	d.Log.Wait(t, reloaded, 2)
	if got := d.Ask(t, "Do you offer refunds?"); got.Answer != "Within 60 days." {
		t.Errorf("after it was mended: %+v", got)
	}
	if got := d.Send(t, harness.NewClient(t), http.MethodGet, "/privacy", ""); got.StatusCode != http.StatusNotFound {
		t.Errorf("a page that is gone: %d", got.StatusCode)
	}
}

// TestFolderGoesAndComesBack takes the whole folder away: the old content stays
// live, and is not built again when it is the same that comes back.
func TestFolderGoesAndComesBack(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = dir })
	live := d.Live()
	expect.OK(t, os.Rename(dir, dir+".away"))
	d.Log.Wait(t, "FRONTDESK_CONTENT", 1)
	expect.OK(t, os.Rename(dir+".away", dir))
	d.Log.Wait(t, "content is back to the live version", 1)
	if d.Live() != live || strings.Contains(d.Log.String(), reloaded) {
		t.Errorf("the same content was built again:\n%s", d.Log)
	}
}

// TestUnchangedContent checks that unchanged content is loaded again only for the signal,
// and that a bad state is logged once, whatever editors write beside the files.
func TestUnchangedContent(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = dir })
	harness.Edit(t, dir, "faq.yaml", "entries: [")
	d.Log.Wait(t, refused, 1)
	harness.Edit(t, dir, ".faq.yaml.swp", "x")
	harness.Edit(t, dir, "faq.yaml", "entries: [")
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, refused, 2) // which comes after what the files led to
	if n := strings.Count(d.Log.String(), refused); n != 2 {
		t.Errorf("the same bad state is refused %d times, want once by itself and once as asked", n)
	}
	harness.Edit(t, dir, "faq.yaml", oneAnswer("Now."))
	d.Log.Wait(t, reloaded, 1)
	live := d.Live()
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, reloaded, 2)
	if d.Live() == live {
		t.Error("the signal does not build the content again")
	}
}

// TestChoicesGoWithTheContent: what a model chose is remembered until the content
// changes; its daily cap outlives that.
func TestChoicesGoWithTheContent(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, "2"))
	for i, want := range []contract.Reason{contract.ReasonMatched, contract.ReasonMatched, contract.ReasonRateLimitedGlobal} {
		for range 2 {
			if got := d.Ask(t, beyond); got.Reason != want {
				t.Errorf("content %d: %+v, want %s", i, got, want)
			}
		}
		if want := min(i+1, 2); server.Calls() != want {
			t.Errorf("content %d: %d calls, want %d", i, server.Calls(), want)
		}
		harness.Edit(t, d.Settings.Content, "faq.yaml", oneAnswer(fmt.Sprintf("Version %d.", i)))
		d.Log.Wait(t, reloaded, i+1)
	}
}

// TestPanicInAReload brings a fault of ours to light: the service goes on with what
// it has.
func TestPanicInAReload(t *testing.T) {
	t.Parallel()
	panics, dir := false, harness.SmallContent(t)
	s := harness.Start(t, func(s *config.Settings) { s.Content = dir }, harness.Changes{Maker: func(approved content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *faq.Book {
		if panics {
			panic("as asked")
		}
		return harness.Book(approved, unanswered, resolveURL)
	}})
	live := s.Live()
	panics = true
	s.Reload()
	if s.Live() != live || !strings.Contains(s.Log.String(), "panic: as asked") || !strings.Contains(s.Log.String(), refused) {
		t.Errorf("log:\n%s", s.Log)
	}
	panics = false
	if s.Reload(); s.Live() == live {
		t.Errorf("log:\n%s", s.Log)
	}
}

// TestHangupOfTheSample: the signal has nothing to reload, and ends no process.
func TestHangupOfTheSample(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, "nothing to reload", 1)
	process, _, log := harness.StartProcess(t)
	if text := log.String(); !regexp.MustCompile(`"time":"[^"]+:\d\d\.\d{3}[Z+-]`).MatchString(text) {
		t.Errorf("the lines of one second cannot be told apart:\n%s", text)
	}
	expect.OK(t, process.Process.Signal(syscall.SIGHUP))
	log.Wait(t, "nothing to reload", 1)
	if err := errors.Join(process.Process.Signal(syscall.SIGTERM), process.Wait()); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}
