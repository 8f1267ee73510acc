package faq

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"frontdesk/content"
	"frontdesk/faq/evaluation"
)

// folds is into how many parts alternates are divided to be held out in turn. One
// at a time would mean a selector for each.
const folds = 5

// misrouted is a held-out alternate that another entry answered.
type misrouted struct {
	alternate     string
	owner, winner int // by place
	sure          bool
}

// likely is the confidence by meaning from which another entry probably answers. manyLost is how many wordings two
// entries must take from each other to overlap if the selector is sure of none: a single one may be an accident of its
// words.
const (
	likely   = 0.5
	manyLost = 2
)

// CrossValidate asks each of the owner's alternates of an answerer built without it, like a customer's new wording. It
// returns how each is answered, and warnings of entries that overlap. The first of asked are the
// answers at the precision of the FAQ, the others those at precisions. build is called a few times.
// Once ctx ends, all are incomplete.
func CrossValidate(ctx context.Context, faq content.FAQ, build func(content.FAQ) *Answerer,
	precisions ...float64) (warnings []content.Diagnostic, asked [][]evaluation.Result) {
	asked = make([][]evaluation.Result, 1+len(precisions))
	pairs := map[[2]int][]misrouted{}
	most := 0
	for i := range faq.Entries {
		most = max(most, len(faq.Entries[i].Own()))
	}
	for fold := range min(folds, most) {
		if ctx.Err() != nil {
			break
		}
		answerer := build(without(faq, fold))
		for i, precision := range append([]float64{answerer.precision}, precisions...) {
			all, results := losses(ctx, answerer, faq.Entries, fold, precision)
			asked[i] = append(asked[i], results...)
			if i > 0 {
				continue
			}
			for _, l := range all {
				pair := [2]int{min(l.owner, l.winner), max(l.owner, l.winner)}
				pairs[pair] = append(pairs[pair], l)
			}
		}
	}
	for _, all := range pairs {
		sure := slices.ContainsFunc(all, func(l misrouted) bool { return l.sure })
		if sure || len(all) >= manyLost {
			warnings = append(warnings, warning(faq.Entries, all))
		}
	}
	slices.SortFunc(warnings, func(a, b content.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return warnings, asked
}

// losses asks the owner's alternates of a fold, of an answerer without them.
func losses(ctx context.Context, answerer *Answerer, entries []content.Entry, fold int, precision float64) (
	all []misrouted, asked []evaluation.Result) {
	may := answerer.live()
	live := func(entry int) bool { return !entries[entry].IsFact && may(entry) } // a fact may answer her wording rightly
	for i := range entries {
		own := entries[i].Own()
		for j := fold; j < len(own) && live(i) && ctx.Err() == nil; j += folds {
			alternate := own[j]
			choice := answerer.selector.Select(ctx, alternate, live, precision)
			result := answerer.result(alternate, choice)
			result.Want = entries[i].ID
			asked = append(asked, result)
			isLikely := choice.Sure || choice.Encoded && choice.Confidence >= likely
			if isLikely && entries[choice.Best[0]].ID != entries[i].ID {
				all = append(all, misrouted{alternate: alternate, owner: i, winner: choice.Best[0], sure: choice.Sure})
			}
		}
	}
	return all, asked
}

// warning describes two entries by the first wording that one loses to the other.
func warning(entries []content.Entry, all []misrouted) content.Diagnostic {
	first := slices.MinFunc(all, func(a, b misrouted) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.alternate, b.alternate))
	})
	owner, winner := &entries[first.owner], &entries[first.winner]
	message := fmt.Sprintf("entries %q and %q overlap: without its alternate, %q would match %q",
		owner.ID, winner.ID, first.alternate, winner.ID)
	if len(all) > 1 {
		message += fmt.Sprintf(" (%d such wordings)", len(all))
	}
	return owner.Fault(message, "give each more wordings of its own, or make them one entry",
		"warning.overlap", owner.ID, winner.ID, first.alternate)
}

// without is the FAQ without the owner's alternates of a fold. What an entry inherits from a fact stays.
func without(faq content.FAQ, fold int) content.FAQ {
	faq.Entries = slices.Clone(faq.Entries)
	for i := range faq.Entries {
		entry := &faq.Entries[i]
		own := len(entry.Own())
		var kept []string
		for j, alternate := range entry.Alternates {
			if j >= own || j%folds != fold {
				kept = append(kept, alternate)
			}
		}
		entry.Alternates = kept
	}
	return faq
}
