package meaning

import (
	"context"

	"frontdesk/faq/lexical"
)

// Insight is what a selector goes by for one question.
type Insight struct {
	Words     *lexical.Selector
	ByEncoder bool    // the encoder had a say in the choice
	Threshold float64 // the sureness from which it answers
	// Likeness is how like an entry is to the question by the encoder, as cosines: its
	// nearest wording, and its question and answer together. Both are 0 where the encoder
	// cannot tell.
	Likeness func(entry int) (wording, answer float64)
}

// Explain returns what Select goes by for a question.
func (s *Selector) Explain(ctx context.Context, question string, live func(entry int) bool) Insight {
	insight := Insight{Words: s.words, Threshold: s.words.Threshold(), Likeness: func(int) (float64, float64) { return 0, 0 }}
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
	insight.Likeness = func(entry int) (wording, answer float64) {
		like := read.like[entry]
		return like[toWording] * spread[toWording], like[toPassage] * spread[toPassage]
	}
	return insight
}
