package live_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
	"frontdesk/internal/metrics"
	"frontdesk/test/harness"
)

type served struct {
	*live.Content
	dir    string
	log    harness.Log
	hangup chan os.Signal
	stop   func()

	mu              sync.Mutex
	verdicts        []metrics.Reload
	refused, change int
}

func serve(t *testing.T, change func(*live.Content)) *served {
	t.Helper()
	s := &served{dir: harness.SmallContent(t), hangup: make(chan os.Signal, 1)}
	harness.Edit(t, s.dir, "faq.yaml", harness.OneAnswer("Never."))
	s.Content = live.New(live.Config{
		Folder: s.dir, Log: zerolog.New(&s.log),
		Builder:  live.Builder{BuildAnswerer: harness.Answerer, At: discovery.Addresses{Base: harness.Base}},
		Answered: func(context.Context, string, contract.Answer) {},
		Also:     func() error { return nil },
		Count:    func(verdict metrics.Reload) { s.note(func() { s.verdicts = append(s.verdicts, verdict) }) },
		Refused:  func(_ string, faults int) { s.note(func() { s.refused += faults }) },
		Changed:  func(context.Context, *live.Snapshot, *live.Snapshot) { s.note(func() { s.change++ }) },
	})
	if change != nil {
		change(s.Content)
	}
	expect.Same(t, "state of content that is not started", live.Loading, s.state())
	expect.OK(t, s.Load(t.Context()), s.Start(t.Context()))
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx, s.hangup) })
	s.stop = func() { stop(); running.Wait() }
	t.Cleanup(s.stop)
	return s
}

func (s *served) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *served) state() live.State {
	state, _ := s.State()
	return state
}

// Content is reloaded by itself, by a signal and on request, be it good, bad or gone.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	first := s.Now()
	expect.Same(t, "state", live.Ready, s.state())

	harness.Edit(t, s.dir, "faq.yaml", harness.OneAnswer("Within 30 days.")) // by itself
	s.log.Wait(t, harness.Reloaded, 1)
	if s.Now() == first || s.Ask(t.Context(), "Do you offer refunds?").Answer != "Within 30 days." || s.change != 1 {
		t.Errorf("the change is not live:\n%s", &s.log)
	}
	good := s.Now()

	harness.Edit(t, s.dir, "golden.yaml", "answered:\n  - {q: Why, id: nobody}\n")
	harness.Edit(t, s.dir, "faq.yaml", harness.OneAnswer("Never.")+"  - {id: x, question: Why?, anwser: x}\n")
	expect.Holds(t, "the verdict", fmt.Sprint(s.Request(t.Context())), "faq.yaml:6: ", "golden.yaml:2: ")
	expect.Holds(t, "the log", s.log.String(), "faq.yaml:6: ", "golden.yaml:2: ")
	expect.Same(t, "good content is still live", true, s.Now() == good && s.state() == live.Ready)
	before := strings.Count(s.log.String(), harness.Refused)
	harness.Edit(t, s.dir, ".faq.yaml.swp", "x") // changes nothing that counts
	s.hangup <- syscall.SIGHUP                   // tries bad content again
	s.log.Wait(t, harness.Refused, before+1)

	expect.OK(t, os.Remove(filepath.Join(s.dir, "golden.yaml")))
	harness.Edit(t, s.dir, "faq.yaml", harness.OneAnswer("Within 60 days."))
	expect.OK(t, s.Request(t.Context()))
	expect.Holds(t, "the description", s.Describe(), s.Now().Revision()+" is live, 2 entries")
	good = s.Now()
	expect.OK(t, s.Request(t.Context()))
	expect.Same(t, "unchanged content is kept", false, s.Now() == good)
	good = s.Now()
	expect.OK(t, os.Rename(s.dir, s.dir+".away"))
	s.log.Wait(t, "FRONTDESK_CONTENT", 1)
	expect.OK(t, os.Rename(s.dir+".away", s.dir))
	s.log.Wait(t, "content is back to the live version", 1)
	expect.Same(t, "the same content is still live", true, s.Now() == good)
	s.mu.Lock()
	defer s.mu.Unlock()
	expect.Holds(t, "the verdicts", fmt.Sprint(s.verdicts), string(metrics.Reloaded), string(metrics.Refused),
		string(metrics.Unchanged))
	expect.AtLeast(t, "reports of refused content", 4, s.refused)
}

func TestReloadAfterRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, nil)
		s.stop()
		expect.Error(t, "the verdict", s.Request(context.Background()), live.ErrNotServing)
	})
}

func before(happen func()) func(content.FAQ, []content.GoldenQuestion, func(string) string) *faq.Answerer {
	return func(approved content.FAQ, golden []content.GoldenQuestion, resolve func(string) string) *faq.Answerer {
		happen()
		return harness.Answerer(approved, golden, resolve)
	}
}

// While the encoder reads, only approved wordings are answered; then the golden questions decide.
func TestStates(t *testing.T) {
	t.Parallel()
	const otherWords, golden = "do you offer a refund", "answered:\n  - {q: do you offer a refund, id: %s}\n"
	for answering, tt := range map[string]struct { // the entry that must answer otherWords
		then  live.State
		match contract.Match
	}{
		"refunds": {live.Ready, contract.MatchSelector},
		"hours":   {live.WordsOnly, contract.MatchNone},
	} {
		t.Run(answering, func(t *testing.T) {
			t.Parallel()
			hold := make(chan struct{})
			goOn := sync.OnceFunc(func() { close(hold) })
			t.Cleanup(goOn)
			s := serve(t, func(c *live.Content) {
				harness.Edit(t, c.Folder, "golden.yaml", fmt.Sprintf(golden, answering))
				c.Patience = 1
				c.BuildAnswerer = before(func() { <-hold })
			})
			expect.Same(t, "state", live.Encoding, s.state())
			expect.Same(t, "an approved wording", contract.MatchExact, s.Ask(t.Context(), "Do you offer refunds?").Match)
			if got := s.Ask(t.Context(), otherWords); got.Match != contract.MatchNone || len(got.Candidates) == 0 {
				t.Errorf("other words: %+v, want candidates", got)
			}
			goOn()
			harness.Eventually(t, func() bool { return s.state() == tt.then })
			expect.Same(t, "other words", tt.match, s.Ask(t.Context(), otherWords).Match)
			_, reason := s.State()
			expect.Same(t, fmt.Sprint("there is a reason: ", reason), tt.then == live.WordsOnly, reason != nil)
			harness.Edit(t, s.dir, "golden.yaml", fmt.Sprintf(golden, "refunds"))
			expect.OK(t, s.Request(t.Context()))
			expect.Same(t, "state after a correction", live.Ready, s.state())
			expect.Same(t, "other words after a correction", contract.MatchSelector, s.Ask(t.Context(), otherWords).Match)
		})
	}
}

func TestPanicInAReload(t *testing.T) {
	t.Parallel()
	panics := false
	s := serve(t, func(c *live.Content) {
		c.BuildAnswerer = before(func() {
			if panics {
				panic("as asked")
			}
		})
	})
	first := s.Now()
	panics = true
	expect.Says(t, "the verdict", s.Request(t.Context()), "panic: as asked")
	expect.Same(t, "the first is still live", true, s.Now() == first)
	panics = false
	expect.OK(t, s.Request(t.Context()))
	expect.Same(t, "it is live after the next", false, s.Now() == first)
}

// TestTriedChange can be looked at until the next reload.
func TestTriedChange(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	changed := t.TempDir()
	expect.OK(t, os.CopyFS(changed, os.DirFS(s.dir)))
	harness.Edit(t, changed, "faq.yaml", harness.OneAnswer("Within 30 days."))
	loaded, version, err := content.LoadWithDigest(os.DirFS(changed))
	expect.OK(t, err, s.Try(t.Context(), loaded, version))
	page, found := s.Preview(version.Revision(), contract.PathFAQ)
	expect.Same(t, "there is a preview", true, found)
	expect.Holds(t, "the preview", page.Body.Bytes, "Within 30 days.")
	loaded.Golden.Answered = []content.GoldenQuestion{{Q: "When are you open?", ID: "refunds"}}
	if err := s.Try(t.Context(), loaded, content.Digest{1}); err == nil {
		t.Error("a change whose golden question fails passes")
	}
	expect.OK(t, s.Request(t.Context()))
	_, found = s.Preview(version.Revision(), contract.PathFAQ)
	expect.Same(t, "the preview outlives a reload", false, found)
}

func TestSampleIsNotReloaded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(c *live.Content) { c.Folder = "" })
	s.hangup <- syscall.SIGHUP
	s.log.Wait(t, "the content is the embedded sample: nothing to reload", 1)
}

func TestCheckNamesOtherLanguages(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	for language, warns := range map[string]bool{"de": false, "ja": true} {
		catalog := expect.File(t, filepath.Join(dir, "catalog.yaml"))
		languages := regexp.MustCompile(`languages: \[[^]]*`)
		harness.Edit(t, dir, "catalog.yaml", languages.ReplaceAllString(catalog, "languages: ["+language))
		found := strings.Join(expect.Value(live.Check(t.Context(), dir, live.Checks{}))(t).Warnings, "\n")
		expect.Same(t, found, warns, strings.Contains(found, `does not support the language "`+language+`"`))
	}
}

func TestMain(m *testing.M) { harness.Main(m) }
