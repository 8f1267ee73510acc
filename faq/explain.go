package faq

import (
	"context"
	"slices"

	"frontdesk/contract"
	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// Explanation is why the answerer answers a question as it does, without a model.
type Explanation struct {
	Match      contract.Match `json:"match"`      // the step that answers; none when no entry does
	EntryID    string         `json:"entry_id"`   // of the answer; empty for none
	By         string         `json:"by"`         // what chose: approved wording, words, or words and encoder
	Confidence float64        `json:"confidence"` // that the first entry answers the question, from 0 to 1
	Threshold  float64        `json:"threshold"`  // the confidence from which the selector answers
	Entries    []Reasons      `json:"entries"`    // the closest ones, best first; never nil
}

// Reasons are what speaks for one entry.
type Reasons struct {
	EntryID  string `json:"entry_id"`
	Question string `json:"question"`
	semantic.Reasons
}

// Explain returns why Ask answers q as it does, with at most the given number of entries.
// It asks the encoder about the entries even if only words choose.
func (b *Answerer) Explain(ctx context.Context, q string, most int) Explanation {
	live := b.live()
	choice := b.choose(ctx, q, live)
	e := Explanation{Match: contract.MatchNone, By: "words", Confidence: choice.Confidence, Threshold: choice.Threshold,
		Entries: []Reasons{}}
	if choice.Encoded {
		e.By = "words and encoder"
	}
	best := choice.Best
	if choice.Sure {
		e.Match, e.EntryID = contract.MatchSelector, b.entries[best[0]].ID
	}
	if w := b.approved(ctx, q, live); w != nil {
		e.Match, e.EntryID, e.By, e.Confidence = w.match, b.entries[w.entry].ID, "approved wording", 1
		best = append([]int{w.entry}, slices.DeleteFunc(best, func(entry int) bool { return entry == w.entry })...)
	}
	best = best[:min(len(best), most)]
	for i, reasons := range b.selector.Explain(ctx, b.synonyms.replace(q), b.onlyLanguageOf(q, live), best) {
		entry := &b.entries[best[i]]
		e.Entries = append(e.Entries, Reasons{entry.ID, entry.Question, reasons})
	}
	return e
}

// Try returns how Ask would answer q, for measurements.
func (b *Answerer) Try(q string) evaluation.Result {
	ctx, live := context.Background(), b.live()
	result := b.result(q, b.choose(ctx, q, live))
	if w := b.approved(ctx, q, live); w != nil {
		id := b.entries[w.entry].ID
		others := slices.DeleteFunc(result.Best, func(other string) bool { return other == id })
		result = evaluation.Result{Q: q, Best: append([]string{id}, others...), Confidence: 1, Answered: true}
	}
	return result
}

// result is what a choice makes of a question that is no approved wording.
func (b *Answerer) result(q string, choice lexical.Choice) evaluation.Result {
	near := len(b.unique(choice.Best[:choice.Near]))
	result := evaluation.Result{Q: q, Confidence: choice.Confidence, Answered: choice.Sure,
		Near: min(near, contract.MaxSuggestions)}
	for _, entry := range b.unique(choice.Best) {
		result.Best = append(result.Best, b.entries[entry].ID)
	}
	return result
}
