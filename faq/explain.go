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
	choice, w := b.consider(ctx, q)
	best := choice.Best[:min(len(choice.Best), most)]
	e := Explanation{Match: contract.MatchNone, By: "words", Confidence: choice.Confidence, Threshold: choice.Threshold,
		Entries: []Reasons{}}
	if choice.Encoded {
		e.By = "words and encoder"
	}
	if choice.Sure {
		e.Match, e.EntryID = contract.MatchSelector, b.entries[choice.Best[0]].ID
	}
	if w != nil {
		e.Match, e.By = w.match, "approved wording"
	}
	for i, reasons := range b.selector.Explain(ctx, b.synonyms.replace(q), b.onlyLanguageOf(q, b.live()), best) {
		entry := &b.entries[best[i]]
		e.Entries = append(e.Entries, Reasons{entry.ID, entry.Question, reasons})
	}
	return e
}

// Try returns how Ask would answer q, for measurements.
func (b *Answerer) Try(q string) evaluation.Result {
	choice, _ := b.consider(context.Background(), q)
	return b.result(q, choice)
}

// consider returns the selector's choice for a question. If the question is an approved wording, it also returns that,
// and its entry comes first.
func (b *Answerer) consider(ctx context.Context, q string) (choice lexical.Choice, w *wording) {
	live := b.live()
	choice, w = b.choose(ctx, q, live), b.approved(ctx, q, live)
	if w != nil {
		others := slices.DeleteFunc(choice.Best, func(entry int) bool { return entry == w.entry })
		choice.Best, choice.Near = append([]int{w.entry}, others...), 0
		choice.Sure, choice.Confidence = true, 1
	}
	return choice, w
}

// result is what a choice makes of a question.
func (b *Answerer) result(q string, choice lexical.Choice) evaluation.Result {
	near := len(b.unique(choice.Best[:choice.Near]))
	result := evaluation.Result{Q: q, Confidence: choice.Confidence, Answered: choice.Sure,
		Near: min(near, contract.MaxSuggestions)}
	for _, entry := range b.unique(choice.Best) {
		result.Best = append(result.Best, b.entries[entry].ID)
	}
	return result
}
