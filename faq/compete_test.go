package faq

import (
	"context"
	"slices"
	"testing"

	"frontdesk/content"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/expect"
)

func TestCompete(t *testing.T) {
	t.Parallel()
	faq := shop()
	build := func(faq content.FAQ) *Answerer { return withMeaning(t, faq) }
	got, _ := CrossValidate(t.Context(), faq, build)
	expect.Same(t, "warnings", 0, len(got))

	twin := content.Entry{
		ID: "stop", Question: "How can I cancel my subscription now?", Answer: "Call us.", Line: 70,
		Alternates: []string{"How do I cancel the subscription?", "Can I cancel my subscription at any time?",
			"I want to cancel my subscription"},
	}
	faq.Entries[2].Line = 30
	faq.Entries = append(faq.Entries, twin)
	got, asked := CrossValidate(t.Context(), faq, build)
	if len(got) == 0 {
		t.Fatal("twins do not compete")
	}
	for _, warning := range got {
		expect.Holds(t, "a warning", warning.String(), `"cancel"`, `"stop"`)
		if warning.Line != 30 && warning.Line != 70 || warning.File != "faq.yaml" {
			t.Errorf("no place: %s", warning)
		}
	}
	var want, held []string
	for _, entry := range faq.Entries {
		for _, alternate := range entry.Alternates {
			want = append(want, alternate+" "+entry.ID)
		}
	}
	for _, result := range asked[0] {
		held = append(held, result.Q+" "+result.Want)
	}
	slices.Sort(want)
	slices.Sort(held)
	expect.Same(t, "alternates that were asked", want, held)
	precise := faq
	precise.Precision = content.MaxPrecision
	_, at := CrossValidate(t.Context(), faq, build, content.MaxPrecision, content.MinPrecision)
	_, made := CrossValidate(t.Context(), precise, build)
	expect.Same(t, "at a precision", made[0], at[1])
	answered := func(results []evaluation.Result) (n int) {
		for _, result := range results {
			if result.Answered {
				n++
			}
		}
		return n
	}
	if answered(at[1]) >= answered(at[2]) {
		t.Errorf("the most careful answers %d, the least %d", answered(at[1]), answered(at[2]))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, left := CrossValidate(ended, faq, build)
	expect.Same(t, "questions that are asked after the end", 0, len(left[0]))
	for i, entry := range shop().Entries {
		expect.Same(t, "alternates of "+entry.ID, entry.Alternates, faq.Entries[i].Alternates)
	}
}

// Wordings inherited from a fact are not asked, and stay while the owner's alternates are held out.
func TestCompeteWithInherited(t *testing.T) {
	t.Parallel()
	faq := shop()
	inherited := slices.Repeat([]string{"Are you open then?"}, 12)
	faq.Entries[0].Alternates = append(faq.Entries[0].Alternates[:1:1], inherited...)
	faq.Entries[0].Inherited = len(inherited)
	own := len(faq.Entries[0].Own())
	_, asked := CrossValidate(t.Context(), faq, func(faq content.FAQ) *Answerer {
		expect.AtLeast(t, "alternates that are left", len(inherited), len(faq.Entries[0].Alternates))
		return newBook(t, faq)
	})
	n := 0
	for _, result := range asked[0] {
		if result.Want == faq.Entries[0].ID {
			n++
		}
	}
	expect.Same(t, "alternates that were asked", own, n)
}
