package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/expect"
	"frontdesk/internal/metrics"
)

var (
	builder  = Builder{BuildAnswerer: faq.New, At: discovery.Addresses{Base: "http://localhost:8080"}}
	answered = func(context.Context, string, contract.Answer) {}
)

func sampleSnapshot(t testing.TB, name string) *Snapshot {
	t.Helper()
	sample := expect.Value(content.Load(content.Sample()))(t)
	sample.Name = name
	return expect.Value(builder.snapshot(sample, content.Digest{},
		faq.New(sample.FAQ, sample.Golden.Unanswered, builder.At.Resolve)))(t)
}

// chooser takes the entry shown first.
type chooser func()

func (c chooser) Choose(context.Context, string, []*content.Entry) (int, contract.Reason) {
	c()
	return 0, contract.ReasonMatched
}

// The page is of the content that answered, also if another is live since.
func TestAnswerPageIsOfOneContent(t *testing.T) {
	t.Parallel()
	c := New(Config{Answered: answered})
	before, after := sampleSnapshot(t, "Old & Sons"), sampleSnapshot(t, "Newcomer")
	c.Model = chooser(func() { c.enter(Ready, after, nil) })
	c.enter(Ready, before, nil)
	page := c.AnswerPage(t.Context(), "/ask", "What is the weather in Paris?").HTML
	expect.Same(t, "the model was asked", true, c.Now() == after)
	expect.Holds(t, "the page", page, `class="answer sure"`, "Old &amp; Sons")
	expect.Lacks(t, "the page", page, "Newcomer")
}

func TestSnapshotPublishesOnce(t *testing.T) {
	t.Parallel()
	s := sampleSnapshot(t, "Sample")
	if s.current != nil {
		t.Error("a snapshot publishes before it is asked to")
	}
	var got [8]*published
	var callers sync.WaitGroup
	for i := range got {
		callers.Go(func() { got[i] = s.published() })
	}
	callers.Wait()
	for _, one := range got {
		if one == nil || one != got[0] || one.Document(contract.PathCatalog) == nil {
			t.Fatalf("callers were given %v", got)
		}
	}
}

// The page of questions is made again when an entry expires while its snapshot is served.
func TestSnapshotForgetsExpiredEntries(t *testing.T) {
	t.Parallel()
	s := sampleSnapshot(t, "Sample")
	before := s.published()
	if s.published() != before {
		t.Error("what is published is made again although nothing has expired")
	}
	before.from = before.from.Add(time.Hour)
	if s.published() == before {
		t.Error("nothing is made anew after the clock was set back")
	}
	before = s.published()
	entry := &s.Content.FAQ.Entries[1]
	expect.Holds(t, "the page of questions", before.pages["/faq"].HTML.Body.Bytes, entry.Question)
	// Its last day was yesterday, and what is published is older.
	ends := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
	entry.Expires, before.until = ends, ends.AddDate(0, 0, 1)
	expect.Lacks(t, "the page of questions", s.published().pages["/faq"].HTML.Body.Bytes, entry.Question)
}

// A link within the folder is content, as in a ConfigMap; one to a file outside is a fault.
func TestLinksStayInTheFolder(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	expect.Value(content.Init(dir, ""))(t)
	expect.OK(t, os.Mkdir(dir+"/..data", 0o700), os.Rename(dir+"/faq.yaml", dir+"/..data/faq.yaml"),
		os.Symlink("..data/faq.yaml", dir+"/faq.yaml"))
	expect.Value(LoadFolder(dir))(t)
	expect.OK(t, os.WriteFile(outside, []byte("# Secret\n"), 0o600), os.Symlink(outside, dir+"/pages/secret.md"))
	expect.Holds(t, "the fault of a link to a file outside", fmt.Sprint(expect.ErrorOf(LoadFolder(dir))),
		"pages/secret.md", "escapes")
}

// Once a request is canceled, its preview renders no more pages.
func TestRenderingEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	s := sampleSnapshot(t, "Sample")
	ctx, leave := context.WithCancel(t.Context())
	all := len(s.site.Pages(ctx, s.Loaded))
	leave()
	if few := len(s.site.Pages(ctx, s.Loaded)); few >= all {
		t.Errorf("canceled after %d of %d pages", few, all)
	}
	if s.publish(ctx, s.Loaded) != nil {
		t.Error("documents are made after the request was canceled")
	}
	expect.Error(t, "the build", expect.ErrorOf(builder.complete(ctx, s.Content, s.version, s.Answerer)), context.Canceled)
}

// A fact is back once the entry in its place has expired, and a past day leaves the hours.
func TestFactsChangeByThemselves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	entries := "fallback: F\nentries: [{id: phone, question: Number?, answer: Ring., expires: 2000-01-02}]\n"
	for name, text := range map[string]string{
		"catalog.yaml": "business: {name: A, summary: A, phone: +49 761 1234, time_zone: Europe/Berlin, " +
			"hours: {mon: 9:00-17:00}, closed: [2000-01-05, 2000-02-01]}\ncurrency: EUR\n" +
			"services: [{id: cut, name: Cut, summary: S, description: D, price: 55}]\n",
		"faq.yaml": entries,
	} {
		expect.Write(t, filepath.Join(dir, name), text)
	}
	synctest.Test(t, func(t *testing.T) { // from 2000-01-01 on
		refused := 0
		c := New(Config{Folder: dir, Log: zerolog.Nop(), Count: func(metrics.Reload) {}, Builder: builder, Answered: answered,
			Refused: func(string, int) { refused++ }})
		expect.OK(t, c.Load(t.Context()), c.Start(t.Context()))
		changed := make(chan struct{})
		go c.follow(t.Context(), nil, changed)
		const fact, closed = "Our phone number is +49 761 1234.", "5 January 2000"
		for _, tt := range []struct {
			until, phone string
			isClosed     bool
		}{
			// midnight in Berlin
			{"2000-01-02T22:59:59Z", "Ring.", true}, {"2000-01-02T23:00:01Z", fact, true},
			{"2000-01-05T22:59:59Z", fact, true}, {"2000-01-05T23:00:01Z", fact, false},
		} {
			time.Sleep(time.Until(expect.Value(time.Parse(time.RFC3339, tt.until))(t)))
			synctest.Wait()
			expect.Same(t, "phone at "+tt.until, tt.phone, c.Ask(t.Context(), "What is your phone number?").Answer)
			got := []bool{strings.Contains(c.Ask(t.Context(), "When are you open?").Answer, closed), len(c.Publication().Catalog.Closed) == 2}
			expect.Same(t, "closed day at "+tt.until, []bool{tt.isClosed, tt.isClosed}, got)
		}
		for step, outdated := range map[time.Duration]bool{-time.Hour: true, 0: false, time.Hour: true} { // of the clock
			now, later := c.Now(), *c.Now().Content
			later.FactsChange = time.Now().Add(30*time.Minute - step)
			stepped := &Snapshot{Content: &later, Answerer: now.Answerer, Loaded: time.Now().Add(-step), version: now.version}
			c.enter(Ready, stepped, nil)
			time.Sleep(clockInterval)
			synctest.Wait()
			expect.Same(t, "reload after a step of "+step.String(), outdated, c.Now() != stepped)
		}
		file := filepath.Join(dir, "faq.yaml")
		expect.OK(t, os.Remove(file))
		time.Sleep(100 * 24 * time.Hour)
		synctest.Wait()
		expect.Same(t, "reloads of the bad folder", 1, refused)
		expect.Write(t, file, entries)
		changed <- struct{}{}
		synctest.Wait()
		expect.Same(t, "closed days", 0, len(c.Publication().Catalog.Closed))
	})
}
