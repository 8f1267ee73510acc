package faq

import (
	"fmt"
	"slices"

	"frontdesk/content"
)

// folds is into how many parts alternates are divided to be held out in turn. One
// at a time would mean a selector for each.
const folds = 5

// Compete warns of entries that compete for a question: an alternate of one is held
// out, and the selector, which has not seen it now, is sure of another. Callers who
// ask nearly the same get the wrong answer. build makes the book of an FAQ; it is
// called a few times.
func Compete(faq content.FAQ, build func(content.FAQ) *Book) []content.Fault {
	var warnings []content.Fault
	for fold := range min(folds, mostAlternates(faq.Entries)) {
		book := build(without(faq, fold))
		live := book.live()
		for i := range faq.Entries {
			entry := &faq.Entries[i]
			for j := fold; j < len(entry.Alternates) && live(i); j += folds {
				choice := book.selector.Select(entry.Alternates[j], live)
				if !choice.Sure || choice.Best[0] == i {
					continue
				}
				winner := faq.Entries[choice.Best[0]].ID
				warnings = append(warnings, entry.Fault(
					fmt.Sprintf("the entries %q and %q compete: but for its being written there, %q of the first would be answered by the second",
						entry.ID, winner, entry.Alternates[j]),
					"give each more wordings of its own, or make them one entry"))
			}
		}
	}
	slices.SortStableFunc(warnings, func(a, b content.Fault) int { return a.Line - b.Line })
	return warnings
}

func mostAlternates(entries []content.Entry) (most int) {
	for i := range entries {
		most = max(most, len(entries[i].Alternates))
	}
	return most
}

// without is the FAQ without every alternate of a fold.
func without(faq content.FAQ, fold int) content.FAQ {
	faq.Entries = slices.Clone(faq.Entries)
	for i := range faq.Entries {
		entry := &faq.Entries[i]
		var kept []string
		for j, alternate := range entry.Alternates {
			if j%folds != fold {
				kept = append(kept, alternate)
			}
		}
		entry.Alternates = kept
	}
	return faq
}
