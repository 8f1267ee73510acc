package faq

import (
	"context"
	"slices"

	"frontdesk/contract"
	"frontdesk/faq/lexical"
	"frontdesk/faq/meaning"
)

// Explanation is why the book answers a question as it does, without a model.
type Explanation struct {
	Match     contract.Match `json:"match"`     // the step that answers; none when no entry does
	EntryID   string         `json:"entry_id"`  // of the answer; empty for none
	By        string         `json:"by"`        // what chose: approved wording, words, or words and encoder
	Sureness  float64        `json:"sureness"`  // that the first entry answers the question, from 0 to 1
	Threshold float64        `json:"threshold"` // the sureness from which the selector answers
	Entries   []Reasons      `json:"entries"`   // the closest ones, best first; never nil
}

// What chooses an entry.
const (
	ByWording = "approved wording"
	ByWords   = "words"
	ByMeaning = "words and encoder"
)

// Reasons are what speaks for one entry, each from 0 to 1.
type Reasons struct {
	EntryID  string  `json:"entry_id"`
	Question string  `json:"question"`
	Coverage float64 `json:"coverage"` // share of the question's words that the entry has, rare words counting more
	Nearest  float64 `json:"nearest"`  // likeness of its nearest wording, by words
	Wording  float64 `json:"wording"`  // likeness of its nearest wording, by the encoder
	Answer   float64 `json:"answer"`   // likeness of its question and answer together, by the encoder
}

// Explain returns why Ask answers q as it does, with at most the given number of entries.
// It asks the encoder about the entries even if only words choose.
func (b *Book) Explain(ctx context.Context, q string, most int) Explanation {
	live := b.live()
	speaking := b.speaking(q, live)
	choice := b.choose(ctx, q, live)
	e := Explanation{Match: contract.MatchNone, By: ByWords, Sureness: choice.Sureness, Entries: []Reasons{}}
	best := choice.Best
	if choice.Sure {
		e.Match, e.EntryID = contract.MatchSelector, b.entries[best[0]].ID
	}
	if w := b.approved(q, live); w != nil {
		e.Match, e.EntryID, e.By, e.Sureness = w.match, b.entries[w.entry].ID, ByWording, 1
		best = append([]int{w.entry}, slices.DeleteFunc(best, func(entry int) bool { return entry == w.entry })...)
	}
	best = best[:min(len(best), most)]
	var words *lexical.Selector
	likeness := func(int) (wording, answer float64) { return 0, 0 }
	switch selector := b.selector.(type) {
	case byWords:
		words = selector.Selector
		e.Threshold = words.Threshold()
	case *meaning.Selector:
		insight := selector.Explain(ctx, q, speaking)
		words, likeness, e.Threshold = insight.Words, insight.Likeness, insight.Threshold
		if insight.ByEncoder && e.By == ByWords {
			e.By = ByMeaning
		}
	default:
		return e
	}
	weighed := map[int]lexical.Evidence{}
	for _, pair := range words.Weigh(q, speaking, best) {
		weighed[pair.Entry] = pair.Evidence
	}
	for _, entry := range best {
		evidence := weighed[entry]
		wording, answer := likeness(entry)
		e.Entries = append(e.Entries, Reasons{
			EntryID: b.entries[entry].ID, Question: b.entries[entry].Question,
			Coverage: evidence[lexical.EvCoverage], Nearest: evidence[lexical.EvNear],
			Wording: wording, Answer: answer,
		})
	}
	return e
}

// Trial is what the book makes of a question, for measurements.
type Trial struct {
	Best     []string // ids of the entries closest to the question, best first
	Sureness float64  // that the first of them answers it; 1 for an approved wording
	Answered bool     // the first of them is served without a model
	Near     int      // how many of Best are candidates if the first is not served
}

// Try returns how Ask would answer q.
func (b *Book) Try(q string) Trial {
	live := b.live()
	trial := b.trial(b.choose(context.Background(), q, live))
	if w := b.approved(q, live); w != nil {
		id := b.entries[w.entry].ID
		others := slices.DeleteFunc(trial.Best, func(other string) bool { return other == id })
		trial = Trial{Best: append([]string{id}, others...), Sureness: 1, Answered: true}
	}
	return trial
}

// trial is what a choice makes of a question that is no approved wording.
func (b *Book) trial(choice Choice) Trial {
	near := len(b.each(choice.Best[:choice.Near]))
	trial := Trial{Sureness: choice.Sureness, Answered: choice.Sure, Near: min(near, contract.MaxSuggestions)}
	for _, entry := range b.each(choice.Best) {
		trial.Best = append(trial.Best, b.entries[entry].ID)
	}
	return trial
}
