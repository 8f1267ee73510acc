package meaning

import (
	"context"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// Selector chooses the entry whose approved text answers a question. It never changes, and is safe for
// concurrent use.
type Selector struct {
	words      *lexical.Selector
	reader     *Reader
	index      *index // nil for content that is left to words
	parameters *Parameters
	regime     *Regime
	threshold  float64
}

// New makes the selector of entries, of which words is the lexical one. Strangers are questions that the owner
// wants unanswered, and precision is the share of answers that must be right.
func New(words *lexical.Selector, r *Reader, p *Parameters, entries []content.Entry, strangers []string, precision float64) *Selector {
	s := &Selector{words: words, reader: r, parameters: p, index: newIndex(r, p.Centres, entries, strangers)}
	if s.index != nil {
		s.regime = p.regime(s.index.texts)
		s.threshold = s.regime.Answers.At(precision)
	}
	return s
}

// Reads reports whether the encoder is asked at all: not for content in a script that it does not know, nor for
// very large content.
func (s *Selector) Reads() bool { return s.index != nil }

// Select considers the entries, given by their place in the content, for which live is true. It waits for a free
// processor as long as ctx allows; if none becomes free, it ranks by words, is sure of nothing, and says so in the
// choice. Apart from that, the same question and entries give the same choice.
func (s *Selector) Select(ctx context.Context, question string, live func(entry int) bool) lexical.Choice {
	words := s.words.Select(question, live)
	if s.index == nil || words.Sure && words.Sureness >= s.regime.Words {
		return words
	}
	asked := text.AppendWords(nil, question)
	if len(asked) == 0 || !s.reader.reads(question) {
		return words
	}
	read, err := s.reader.question(ctx, question)
	if err != nil {
		words.Busy, words.Sure = true, false // words answer worse, and a crowd of questions must not make answers wrong
		return words
	}
	r := s.index.read(read)
	ranked := s.index.gather(s.words, r, question, live)
	if len(ranked) == 0 {
		return words
	}
	rank(ranked, s.regime.Ranker)
	evidence := s.index.evidence(r, ranked, words, asked)
	choice := lexical.Choice{
		Best:     make([]int, min(len(ranked), lexical.Candidates)),
		Sureness: sigmoid(s.regime.Trees.logOdds(evidence)),
	}
	for i := range choice.Best {
		choice.Best[i] = ranked[i].Entry
	}
	if s.regime.Subject.logOdds(evidence) >= s.regime.Far {
		choice.Near = len(choice.Best)
	}
	choice.Sure = choice.Sureness >= s.threshold
	return choice
}
