package faq

import (
	"context"

	"frontdesk/contract"
)

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
	choice := b.choose(context.Background(), q, live)
	trial := Trial{Sureness: choice.Sureness, Answered: choice.Sure, Near: min(choice.Near, contract.MaxSuggestions)}
	if w := b.approved(q, live); w != nil {
		trial = Trial{Best: []string{b.entries[w.entry].ID}, Sureness: 1, Answered: true}
	}
	for _, entry := range choice.Best {
		if id := b.entries[entry].ID; len(trial.Best) == 0 || id != trial.Best[0] {
			trial.Best = append(trial.Best, id)
		}
	}
	return trial
}
