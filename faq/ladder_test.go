package faq

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/model"
	"frontdesk/model/modeltest"
)

// oracle is a model that says what it is told to.
type oracle struct {
	mu     sync.Mutex
	id     string          // of the entry to choose; empty for none
	reason contract.Reason // in place of a choice
	asked  []string
	shown  []string // ids of the entries, last time
	hold   chan struct{}
}

func (o *oracle) Choose(_ context.Context, question string, entries []*content.Entry) (int, contract.Reason) {
	o.mu.Lock()
	o.asked, o.shown = append(o.asked, question), nil
	for _, entry := range entries {
		o.shown = append(o.shown, entry.ID)
	}
	id, reason, shown := o.id, o.reason, o.shown
	o.mu.Unlock()
	if o.hold != nil {
		<-o.hold
	}
	if place := slices.Index(shown, id); reason == "" && place >= 0 {
		return place, contract.ReasonMatched
	}
	if reason == "" {
		reason = contract.ReasonNoMatch
	}
	return -1, reason
}

// beyond is a question that the book does not answer by itself.
const beyond = "Do I have to pay a deposit before the first month?"

func TestModelRung(t *testing.T) {
	t.Parallel()
	shopIDs := []string{"price", "hours", "cancel", "who", "jp"}
	for name, test := range map[string]struct {
		q      string
		oracle *oracle
		want   outcome
		reason contract.Reason
		asked  int
	}{
		"an approved wording":  {"What does it cost?", &oracle{id: "hours"}, outcome{contract.MatchExact, "price"}, contract.ReasonMatched, 0},
		"a sure selector":      {"How can I cancel the subscription?", &oracle{id: "hours"}, outcome{contract.MatchSelector, "cancel"}, contract.ReasonMatched, 0},
		"a choice":             {beyond, &oracle{id: "price"}, outcome{contract.MatchModel, "price"}, contract.ReasonMatched, 1},
		"no subject in common": {"Xyzzy plugh frobnicate?", &oracle{id: "who"}, outcome{contract.MatchModel, "who"}, contract.ReasonMatched, 1},
		"none":                 {beyond, &oracle{}, outcome{Match: contract.MatchNone}, contract.ReasonNoMatch, 1},
		"a cap":                {beyond, &oracle{reason: contract.ReasonRateLimitedGlobal}, outcome{Match: contract.MatchNone}, contract.ReasonRateLimitedGlobal, 1},
		"a failure":            {beyond, &oracle{reason: contract.ReasonModelUnavailable}, outcome{Match: contract.MatchNone}, contract.ReasonModelUnavailable, 1},
		"no word to ask about": {"?!", &oracle{id: "price"}, outcome{Match: contract.MatchNone}, contract.ReasonNoMatch, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book := newBook(t, shop())
			got := book.WithModel(test.oracle).Ask(t.Context(), test.q)
			if diff := cmp.Diff(test.want, outcomeOf(got)); diff != "" || got.Reason != test.reason {
				t.Errorf("reason %q, want %q (-want +got):\n%s", got.Reason, test.reason, diff)
			}
			if len(test.oracle.asked) != test.asked || test.asked > 0 && !slices.Equal(test.oracle.shown, shopIDs) {
				t.Errorf("the model was asked %q and shown %q", test.oracle.asked, test.oracle.shown)
			}
			alone := book.Ask(t.Context(), test.q)
			if alone.Reason = got.Reason; got.EntryID == nil && !cmp.Equal(alone, got) {
				t.Errorf("the fallback differs from the book's:\n%s", cmp.Diff(alone, got))
			}
		})
	}
}

func TestWithoutModel(t *testing.T) {
	t.Parallel()
	book := newBook(t, shop())
	for _, q := range []string{"What does it cost?", beyond, ""} {
		if diff := cmp.Diff(book.Ask(t.Context(), q), book.WithModel(nil).Ask(t.Context(), q)); diff != "" {
			t.Errorf("Ask(%q) (-book +ladder):\n%s", q, diff)
		}
	}
}

// unsure is a selector that names the last entries first.
type unsure int

func (n unsure) Select(string, func(int) bool) Choice {
	var choice Choice
	for entry := int(n) - 1; entry >= 0 && len(choice.Best) < Candidates; entry-- {
		choice.Best = append(choice.Best, entry)
	}
	return choice
}

// TestCandidates counts what a model is shown of an FAQ of any size.
func TestCandidates(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, 40: 40, 41: 20, 500: 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			faq, _ := large(max(n, 1))
			faq.Entries = faq.Entries[:n]
			book := newBook(t, faq)
			book.selector = unsure(n)
			o := &oracle{id: fmt.Sprint("e", n-1)}
			got := book.WithModel(o).Ask(t.Context(), beyond)
			if len(o.shown) != want || want > 0 && (got.Match != contract.MatchModel || !slices.Contains(o.shown, o.id)) {
				t.Errorf("%d entries shown, want %d; answer %+v", len(o.shown), want, outcomeOf(got))
			}
		})
	}
}

// TestChoicesAreRemembered asks equal questions once, and failures again.
func TestChoicesAreRemembered(t *testing.T) {
	t.Parallel()
	o := &oracle{reason: contract.ReasonModelUnavailable}
	ladder := newBook(t, shop()).WithModel(o)
	ladder.Ask(t.Context(), beyond)
	o.reason, o.id = "", "price"
	for _, q := range []string{beyond, strings.ToUpper(beyond), "do i have to pay a  deposit before the first month", beyond} {
		if got := ladder.Ask(t.Context(), q); got.EntryID == nil || *got.EntryID != "price" {
			t.Errorf("Ask(%q) = %+v", q, got)
		}
	}
	if len(o.asked) != 2 {
		t.Errorf("the model was asked %q, want the failure and one choice", o.asked)
	}
	o.id = "who"
	if got := newBook(t, shop()).WithModel(o).Ask(t.Context(), beyond); *got.EntryID != "who" {
		t.Errorf("after a reload: %+v", outcomeOf(got))
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	o := &oracle{}
	ladder := newBook(t, shop()).WithModel(o)
	for i := range maxChoices + 100 {
		ladder.choices.put(modelQuestion{key: fmt.Sprint(i)}, picked{noEntry, contract.ReasonNoMatch})
	}
	if n := len(ladder.choices.known); n != maxChoices || len(ladder.choices.order) != maxChoices {
		t.Errorf("%d choices are remembered, want %d", n, maxChoices)
	}
	for key, want := range map[string]bool{"0": false, "99": false, "100": true, fmt.Sprint(maxChoices + 99): true} {
		if _, ok := ladder.choices.get(modelQuestion{key: key}); ok != want {
			t.Errorf("choice %s remembered: %v, want %v", key, ok, want)
		}
	}
}

// TestEqualQuestionsAtOnce share one call, and one that leaves does not wait.
func TestEqualQuestionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &oracle{id: "price", hold: make(chan struct{})}
		ladder := newBook(t, shop()).WithModel(o)
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if got := ladder.Ask(t.Context(), beyond); got.Match != contract.MatchModel {
					t.Errorf("got %+v", got)
				}
			})
		}
		leaving, leave := context.WithCancel(t.Context())
		wait.Go(func() {
			if got := ladder.Ask(leaving, beyond); got.Reason != contract.ReasonModelUnavailable {
				t.Errorf("whoever left got %+v", got)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(o.hold)
		wait.Wait()
		if len(o.asked) != 1 {
			t.Errorf("the model was asked %d times", len(o.asked))
		}
	})
}

// TestExpiredChoice asks anew when the remembered entry has expired, and never
// answers with it.
func TestExpiredChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faq := shop()
		faq.Entries[0].Expires = time.Now().Truncate(24 * time.Hour)
		o := &oracle{id: "price"}
		ladder := newBook(t, faq).WithModel(o)
		if got := outcomeOf(ladder.Ask(t.Context(), beyond)); got.ID != "price" {
			t.Errorf("on the last day: %+v", got)
		}
		time.Sleep(24 * time.Hour)
		if got := outcomeOf(ladder.Ask(t.Context(), beyond)); got.ID != "" || slices.Contains(o.shown, "price") || len(o.asked) != 2 {
			t.Errorf("after it: %+v, shown %q, asked %q", got, o.shown, o.asked)
		}
	})
}

// TestGoldenAsksNoModel: golden questions are about the content alone.
func TestGoldenAsksNoModel(t *testing.T) {
	t.Parallel()
	o := &oracle{id: "price"}
	ladder := newBook(t, shop()).WithModel(o)
	if faults := ladder.book.CheckGolden(content.Golden{Unanswered: []content.GoldenQuestion{{Q: beyond}}}); len(faults) > 0 || len(o.asked) > 0 {
		t.Errorf("faults %v, asked %q", faults, o.asked)
	}
}

// unlimited counts nothing.
type unlimited struct{}

func (unlimited) AddModelCall(context.Context, int64, int) (bool, error) { return true, nil }

// says is an endpoint that sends the same bytes always.
type says []byte

func (s says) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {contract.TypeJSON}},
		Body:       io.NopCloser(strings.NewReader(string(s))),
	}, nil
}

// FuzzModelReply holds that no byte of a model's reply reaches an answer: whatever
// it sends, the answer is an entry's or the fallback, byte for byte.
func FuzzModelReply(f *testing.F) {
	for _, seed := range []string{`{"id": "price"}`, "hours", "none", `{"id": "nobody"}`, "It is free.", `{"id": "price", "answer": "free"}`, ""} {
		f.Add(modeltest.Completion(seed))
		f.Add([]byte(seed))
	}
	book := newBook(f, shop())
	answer := func(ctx context.Context, reply []byte) contract.Answer {
		chooser := model.New(model.Config{
			Endpoint: model.Endpoint{URL: "http://model.invalid/v1", Timeout: time.Minute}, DailyCap: 1,
			Calls: unlimited{}, Log: zerolog.Nop(), Transport: says(reply),
		})
		return book.WithModel(chooser).Ask(ctx, beyond)
	}
	if got := answer(f.Context(), modeltest.Completion("price")); got.Match != contract.MatchModel {
		f.Fatalf("no reply makes an answer, so that nothing would be proved: %+v", got)
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		got := answer(t.Context(), reply)
		if got.EntryID == nil {
			if got.Answer != book.fallback.Answer || got.Match != contract.MatchNone || got.Reason == contract.ReasonMatched {
				t.Fatalf("%q makes the answer %+v", reply, got)
			}
			return
		}
		if diff := cmp.Diff(book.answer(book.ids[*got.EntryID], contract.MatchModel), got); diff != "" {
			t.Fatalf("%q changes an answer (-entry +got):\n%s", reply, diff)
		}
	})
}
