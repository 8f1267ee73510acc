package faq

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/lexical"
	"frontdesk/internal/expect"
	"frontdesk/internal/payload"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	answerer := newBook(t, shop())
	for want, questions := range map[string][]string{
		"exact price": {
			"What does it cost?", "WHAT DOES IT COST", "Ｗｈａｔ does it ｃｏｓｔ？", " what  does\u00a0it cost ?! ",
		},
		"exact who":        {"who is it for"}, // only common words
		"alternate price":  {"how much is it"},
		"alternate cancel": {"Can I stop, at any time?"},
		"selector cancel":  {"How can I cancel the subscription?"},
		"selector hours":   {"are you opened on saturdays?"},
		"none": {
			"料金はいくらでしょうか", // few wordings are in that language
			"What is the weather in Paris?", "Can I pay the fee in bitcoin?",
			"Should my dog be open to eating chocolate cake?", "?!", "", "\xff\xfe weather",
		},
	} {
		for _, q := range questions {
			expect.Same(t, q, want, outcomeOf(answerer.Ask(t.Context(), q)))
		}
	}
}

func TestSuggestionsAreFewAndBestFirst(t *testing.T) {
	t.Parallel()
	faq := content.FAQ{Fallback: "-"}
	for _, q := range []string{
		"Can I book a table?", "Can I book a table for a large garden party?", "Is there a garden?",
		"Do you have a table by the window for two?", "Where is the table football?", "Do you sell cake?",
	} {
		faq.Entries = append(faq.Entries, content.Entry{ID: q, Question: q, Answer: "Yes."})
	}
	got := newBook(t, faq).Ask(t.Context(), "a garden table")
	if len(got.Suggestions) != contract.MaxSuggestions || got.Suggestions[0] != faq.Entries[1].Question {
		t.Errorf("got suggestions %q", got.Suggestions)
	}
	var candidates []string
	for _, c := range got.Candidates {
		candidates = append(candidates, c.Question)
		if c.EntryID != c.Question || c.Answer != "Yes." {
			t.Errorf("candidate %+v is not its entry", c)
		}
	}
	expect.Same(t, "candidates", got.Suggestions, candidates)
}

func TestExpiredEntryIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faq := shop()
		now := time.Now()
		faq.Entries[0].Expires = now.Truncate(24 * time.Hour)
		faq.Entries = append(faq.Entries, content.Entry{ID: "next", Question: "What are your prices?", Answer: "50 EUR."})
		answerer := newBook(t, faq)
		questions := map[string]string{"What does it cost?": "exact price", "How much is it?": "alternate price",
			"Is there some monthly fee?": "selector price", "Must guide dogs from Norway pay a fee?": "none"}
		for q, want := range questions {
			expect.Same(t, "on the last day, "+q, want, outcomeOf(answerer.Ask(t.Context(), q)))
		}
		time.Sleep(24 * time.Hour)
		for q := range questions {
			got := answerer.Ask(t.Context(), q)
			expect.Lacks(t, "after the last day, "+q, outcomeOf(got), "price")
			expect.Lacks(t, "after the last day, "+q, fmt.Sprint(got.Suggestions), faq.Entries[0].Question)
		}
		got := outcomeOf(answerer.Ask(t.Context(), "what are your prices"))
		expect.Same(t, "its wording belongs to the successor", "exact next", got)
		if !answerer.Has("price") || answerer.Has("Price") {
			t.Error("feedback on an expired entry is refused, or that on no entry is not")
		}
	})
}

func TestManyAskAtOnce(t *testing.T) {
	t.Parallel()
	answerer := withMeaning(t, shop())
	questions := []string{"What does it cost?", "How can I cancel the subscription?", "Can I pay the fee in bitcoin?"}
	var single []contract.Answer
	for _, q := range questions {
		single = append(single, answerer.Ask(t.Context(), q))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 300 {
				at := i % len(questions)
				expect.Same(t, questions[at]+" among others", single[at], answerer.Ask(t.Context(), questions[at]))
			}
		})
	}
	wg.Wait()
}

func TestEncoded(t *testing.T) {
	t.Parallel()
	answerer := newBook(t, shop())
	for _, entry := range shop().Entries {
		for _, q := range append([]string{entry.Question, entry.Question}, entry.Alternates...) {
			answer := answerer.Ask(t.Context(), q)
			expect.Same(t, q, string(payload.JSON(answer)), string(answer.Encoded))
		}
	}
	expect.Same(t, "the body of the fallback", 0, len(answerer.Ask(t.Context(), "Do you bake bread?").Encoded))
}

// Whatever the question, the text is approved, the fields agree with it, and equal answerers answer equally.
func FuzzAsk(f *testing.F) {
	for _, seed := range []string{
		"What does it cost?", "how can i cancel the subscription", "Is there a fee for pets?", "料金はいくらでしょうか",
		"", "?", "\xff\xfe\x00", "open open open open", "\u202eWhat does it cost?", "a\u0301\u0301\u0301",
		strings.Repeat("refund ", 300), "n't 's",
	} {
		f.Add(seed)
	}
	faq := shop()
	answerer, twin := newBook(f, faq), newBook(f, shop())
	f.Fuzz(func(t *testing.T, q string) {
		got := answerer.Ask(t.Context(), q)
		if diff := cmp.Diff(got, twin.Ask(t.Context(), q)); diff != "" {
			t.Fatalf("equal books differ on %q:\n%s", q, diff)
		}
		trial := answerer.Try(q)
		if !(trial.Confidence >= 0 && trial.Confidence <= 1) || len(trial.Best) > lexical.Candidates+1 {
			t.Fatalf("Try(%q) = %+v", q, trial)
		}
		if !got.OK || got.Suggestions == nil || len(got.Suggestions) > contract.MaxSuggestions {
			t.Fatalf("Ask(%q) = %+v", q, got)
		}
		if got.EntryID == nil {
			if got.Answer != faq.Fallback || got.Match != contract.MatchNone || got.Reason != contract.ReasonNoMatch {
				t.Fatalf("Ask(%q) = %+v, not the fallback", q, got)
			}
			return
		}
		entry := faq.Entries[slices.IndexFunc(faq.Entries, func(e content.Entry) bool { return e.ID == *got.EntryID })]
		if got.Answer != entry.Answer || *got.Question != entry.Question || *got.Revision != entry.Revision {
			t.Fatalf("Ask(%q) = %+v, not the entry %+v", q, got, entry)
		}
		if got.Reason != contract.ReasonMatched || got.Match == contract.MatchNone || len(got.Suggestions) > 0 {
			t.Fatalf("Ask(%q) = %+v, not a matched answer", q, got)
		}
	})
}

// An entry more, whatever its words, takes no approved wording away from the others.
func FuzzMoreEntries(f *testing.F) {
	f.Add("Do you sell cake?", "Yes, we cost and open.")
	f.Add("What does it cost to cancel?", "\xff")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, question, answer string) {
		faq := shop()
		known := len(faq.Entries)
		faq.Entries = append(faq.Entries, content.Entry{ID: "more", Question: question, Answer: answer})
		answerer := newBook(t, faq)
		for _, entry := range faq.Entries[:known] {
			for _, wording := range append([]string{entry.Question}, entry.Alternates...) {
				if got := answerer.Ask(t.Context(), wording); got.EntryID == nil || *got.EntryID != entry.ID {
					t.Fatalf("with %q added, Ask(%q) = %+v", question, wording, got)
				}
			}
		}
	})
}
