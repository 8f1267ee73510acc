package faq

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/content"
)

func TestCompete(t *testing.T) {
	t.Parallel()
	faq := shop()
	build := func(faq content.FAQ) *Book { return newBook(t, faq) }
	if got := Compete(t.Context(), faq, build); len(got) > 0 {
		t.Errorf("entries that have nothing in common: %v", got)
	}

	twin := content.Entry{
		ID: "stop", Question: "How can I cancel my subscription now?", Answer: "Call us.", Line: 70,
		Alternates: []string{"How do I cancel the subscription?", "Can I cancel my subscription at any time?", "I want to cancel my subscription"},
	}
	faq.Entries[2].Line = 30
	faq.Entries = append(faq.Entries, twin)
	got := Compete(t.Context(), faq, build)
	if len(got) == 0 {
		t.Fatal("twins do not compete")
	}
	for _, warning := range got {
		text := warning.String()
		if !strings.Contains(text, `"cancel"`) || !strings.Contains(text, `"stop"`) {
			t.Errorf("of others: %s", text)
		}
		if warning.Line != 30 && warning.Line != 70 || warning.File != "faq.yaml" {
			t.Errorf("no place: %s", text)
		}
	}
	if want := fmt.Sprint(got); want != fmt.Sprint(Compete(t.Context(), faq, build)) {
		t.Error("asked again, the warnings differ")
	}
	for i, entry := range shop().Entries {
		if len(faq.Entries[i].Alternates) != len(entry.Alternates) {
			t.Errorf("%s has lost alternates", entry.ID)
		}
	}
}
