package meaning

import (
	"context"
	"slices"

	"frontdesk/faq/lexical"
)

// Insight is what a selector goes by for one question.
type Insight struct {
	ByEncoder bool      // the encoder had a say in the choice
	Threshold float64   // the sureness from which it answers
	Reasons   []Reasons // of the entries that were asked about
}

// Reasons are what speaks for one entry, each from 0 to 1. What the encoder cannot say is 0.
type Reasons struct {
	Coverage float64 `json:"coverage"` // share of the question's words that the entry has, rare words counting more
	Nearest  float64 `json:"nearest"`  // likeness of its nearest wording, by words
	Wording  float64 `json:"wording"`  // likeness of its nearest wording, by the encoder
	Answer   float64 `json:"answer"`   // likeness of its question and answer together, by the encoder
}

// Explain returns what Select goes by for a question, and what speaks for some entries.
func (s *Selector) Explain(ctx context.Context, question string, live func(entry int) bool, entries []int) Insight {
	insight := Insight{Threshold: s.words.Threshold(), Reasons: make([]Reasons, len(entries))}
	for _, pair := range s.words.Weigh(question, live, entries) {
		if i := slices.Index(entries, pair.Entry); i >= 0 {
			insight.Reasons[i] = Reasons{Coverage: pair.Evidence[lexical.EvCoverage], Nearest: pair.Evidence[lexical.EvNear]}
		}
	}
	if s.index == nil || !s.reader.reads(question) {
		return insight
	}
	meaning, err := s.reader.question(ctx, s.index.centres, question)
	if err != nil {
		return insight
	}
	words := s.words.Select(question, live)
	if insight.ByEncoder = !words.Sure || words.Sureness < s.regime.Words; insight.ByEncoder {
		insight.Threshold = s.threshold
	}
	read := s.index.read(meaning)
	for i, entry := range entries {
		insight.Reasons[i].Wording = read.like[entry][toWording] * spread[toWording]
		insight.Reasons[i].Answer = read.like[entry][toPassage] * spread[toPassage]
	}
	return insight
}
