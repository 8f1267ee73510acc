package faq

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/payload"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	answerer := newBook(t, shop())
	tests := []struct {
		name, q string
		want    outcome
	}{
		{"the question", "What does it cost?", outcome{contract.MatchExact, "price"}},
		{"the question in capitals", "WHAT DOES IT COST", outcome{contract.MatchExact, "price"}},
		{"the question in wide letters", "Ｗｈａｔ does it ｃｏｓｔ？", outcome{contract.MatchExact, "price"}},
		{"the question with other spaces", " what  does\u00a0it cost ?! ", outcome{contract.MatchExact, "price"}},
		{"only common words", "who is it for", outcome{contract.MatchExact, "who"}},
		{"an alternate", "how much is it", outcome{contract.MatchAlternate, "price"}},
		{"an alternate with another apostrophe", "Can I stop, at any time?", outcome{contract.MatchAlternate, "cancel"}},
		{"a paraphrase", "How can I cancel the subscription?", outcome{contract.MatchSelector, "cancel"}},
		{"other endings", "are you opened on saturdays?", outcome{contract.MatchSelector, "hours"}},
		{"few wordings in another language", "料金はいくらでしょうか", outcome{Match: contract.MatchNone}},
		{"off the subject", "What is the weather in Paris?", outcome{Match: contract.MatchNone}},
		{"near the subject", "Can I pay the fee in bitcoin?", outcome{Match: contract.MatchNone}},
		{"one word of the subject among others", "Should my dog be open to eating chocolate cake?", outcome{Match: contract.MatchNone}},
		{"no word", "?!", outcome{Match: contract.MatchNone}},
		{"nothing", "", outcome{Match: contract.MatchNone}},
		{"not UTF-8", "\xff\xfe weather", outcome{Match: contract.MatchNone}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect.Same(t, fmt.Sprintf("Ask(%q)", test.q), test.want, outcomeOf(answerer.Ask(t.Context(), test.q)))
		})
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
	if len(got.Suggestions) != contract.MaxSuggestions || got.Suggestions[0] != "Can I book a table for a large garden party?" {
		t.Errorf("got suggestions %q", got.Suggestions)
	}
	var candidates []string
	for _, c := range got.Candidates {
		candidates = append(candidates, c.Question)
		if c.EntryID != c.Question || c.Answer != "Yes." {
			t.Errorf("candidate %+v is not its entry", c)
		}
	}
	expect.Same(t, "candidates are other entries than suggestions", got.Suggestions, candidates)
}

func TestExpiredEntryIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faq := shop()
		now := time.Now()
		faq.Entries[0].Expires = now.Truncate(24 * time.Hour)
		faq.Entries = append(faq.Entries, content.Entry{ID: "successor", Question: "What are your prices?", Answer: "From 50 EUR."})
		answerer := newBook(t, faq)
		questions := []string{"What does it cost?", "How much is it?", "Is there some monthly fee?", "Must guide dogs from Norway pay a fee?"}
		want := []outcome{
			{contract.MatchExact, "price"}, {contract.MatchAlternate, "price"},
			{contract.MatchSelector, "price"}, {Match: contract.MatchNone},
		}
		for i, q := range questions {
			expect.Same(t, fmt.Sprintf("on the last day, Ask(%q)", q), want[i], outcomeOf(answerer.Ask(t.Context(), q)))
		}
		time.Sleep(24 * time.Hour)
		for _, q := range questions {
			got := answerer.Ask(t.Context(), q)
			if got.EntryID != nil && *got.EntryID == "price" {
				t.Errorf("after the last day, Ask(%q) is still answered by the entry", q)
			}
			for _, suggestion := range got.Suggestions {
				if suggestion == faq.Entries[0].Question {
					t.Errorf("after the last day, Ask(%q) still suggests the entry", q)
				}
			}
		}
		expect.Same(t, "its wording belongs to the successor", outcome{contract.MatchExact, "successor"}, outcomeOf(answerer.Ask(t.Context(), "what are your prices")))
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
				if diff := cmp.Diff(single[at], answerer.Ask(t.Context(), questions[at])); diff != "" {
					t.Errorf("Ask(%q) among others (-single +got):\n%s", questions[at], diff)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestEncoded asks every approved wording twice: the body that comes with an answer
// is the answer's own.
func TestEncoded(t *testing.T) {
	t.Parallel()
	answerer := newBook(t, shop())
	for _, entry := range shop().Entries {
		for _, q := range append([]string{entry.Question, entry.Question}, entry.Alternates...) {
			answer := answerer.Ask(t.Context(), q)
			if got, want := string(answer.Encoded), string(payload.JSON(answer)); got != want {
				t.Errorf("%q: the body is %s, want %s", q, got, want)
			}
		}
	}
	if answer := answerer.Ask(t.Context(), "Do you bake bread?"); answer.Encoded != nil {
		t.Errorf("the fallback has the body %s", answer.Encoded)
	}
}
