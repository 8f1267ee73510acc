package faq

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/lexical"
)

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
		entry := faq.Entries[answerer.ids[*got.EntryID]]
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
