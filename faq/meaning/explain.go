package meaning

import (
	"context"
	"slices"

	"frontdesk/faq/lexical"
)

// Reasons are what speaks for one entry, each from 0 to 1. What the encoder cannot say is 0.
type Reasons struct {
	Coverage float64 `json:"coverage"` // share of the question's words that the entry has, rare words counting more
	Nearest  float64 `json:"nearest"`  // likeness of its nearest wording, by words
	Wording  float64 `json:"wording"`  // likeness of its nearest wording, by the encoder
	Answer   float64 `json:"answer"`   // likeness of its question and answer together, by the encoder
}

// Explain returns what speaks for some entries.
func (s *Selector) Explain(ctx context.Context, question string, live func(entry int) bool, entries []int) []Reasons {
	reasons := make([]Reasons, len(entries))
	for _, pair := range s.words.Weigh(question, live, entries) {
		if i := slices.Index(entries, pair.Entry); i >= 0 {
			reasons[i] = Reasons{Coverage: pair.Evidence[lexical.EvCoverage], Nearest: pair.Evidence[lexical.EvNear]}
		}
	}
	if s.index == nil || !s.reader.reads(question) {
		return reasons
	}
	encoded, err := s.reader.question(ctx, question)
	if err != nil {
		return reasons
	}
	read := s.index.read(encoded)
	for i, entry := range entries {
		reasons[i].Wording = read.like[entry][toWording] * spread[toWording]
		reasons[i].Answer = read.like[entry][toPassage] * spread[toPassage]
	}
	return reasons
}
