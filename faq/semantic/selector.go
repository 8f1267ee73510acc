package semantic

import (
	"context"
	"slices"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// Selector chooses the entry whose approved text answers a question. It never changes, and is safe for
// concurrent use.
type Selector struct {
	words    *lexical.Selector
	embedder *Embedder
	index    *index // nil for content that is left to words
	regime   *FittedModel
	facts    *FittedModel // by which facts are weighed
}

// New makes the selector of entries; words is their lexical selector. With a nil embedder it compares by words only.
// unanswered are questions that the owner wants unanswered.
func New(words *lexical.Selector, r *Embedder, entries []content.Entry, unanswered []string) *Selector {
	s := &Selector{words: words, embedder: r}
	if most := r.mostWordings(entries); most > 0 {
		defer r.Hold()()
		s.index = newIndex(r, entries, sourcesOf(entries, unanswered, most))
		s.regime, s.facts = r.parameters.Regime(s.FewWordings()), r.parameters.Regime(false)
	}
	return s
}

// FewWordings reports whether the owner's entries count as having few wordings each.
func (s *Selector) FewWordings() bool { return s.index.texts < fewWordings }

// Select considers the entries, given by their place in the content, for which live is true. precision is the share of
// answers that must be right, from 0 to 1. It waits for a free processor as long as ctx allows; if none becomes free,
// it ranks by words, is sure of nothing, and says so in the choice. Apart from that, the same question, entries and
// precision give the same choice.
func (s *Selector) Select(ctx context.Context, question string, live func(entry int) bool, precision float64,
) lexical.Choice {
	words := s.words.Select(question, live, precision)
	if s.index == nil {
		return words
	}
	candidates, err := s.Candidates(ctx, question, live)
	if err != nil {
		words.Busy, words.Sure = true, false // words answer worse, and a crowd of questions must not make answers wrong
		return words
	}
	if candidates == nil {
		return words
	}
	candidates.Rank(s.regime.Ranker)
	features := candidates.Features()
	choice := lexical.Choice{
		Best:       make([]int, min(len(candidates.List), lexical.Candidates)),
		Confidence: lexical.Sigmoid(s.regime.Trees.LogOdds(features)),
		Threshold:  s.regime.Answers.At(precision), Encoded: true,
	}
	for i := range choice.Best {
		choice.Best[i] = candidates.List[i].Entry
	}
	if s.regime.Subject.LogOdds(features) >= s.regime.Far {
		choice.Near = min(candidates.countNear(), len(choice.Best))
	}
	choice.Sure = choice.Confidence >= choice.Threshold
	if first := choice.Best[0]; s.isFact(first) {
		choice.Confidence = lexical.Sigmoid(s.facts.Trees.LogOdds(features))
		choice.Threshold = factShare * s.facts.Answers.At(precision)
		choice.Sure = choice.Confidence >= choice.Threshold && !s.index.isOther(candidates.reading, first) &&
			!s.index.areNearPrices(candidates.List)
	}
	return choice
}

// farBehind is how far an entry may score below the first and still be a candidate. On the training desks no right
// entry among the first five is further away.
const farBehind = 6

// countNear returns how many of the ranked candidates are not far behind the first.
func (c *Candidates) countNear() int {
	least := c.List[0].score - farBehind
	far := slices.IndexFunc(c.List, func(k Candidate) bool { return k.score < least })
	if far < 0 {
		return len(c.List)
	}
	return far
}

// factShare is the share of the usual threshold at which a fact answers: its wordings are those that customers use of
// any business, and questions that only sound like them are known.
const factShare = 0.4

// isFact reports whether an entry is made from the catalog.
func (s *Selector) isFact(entry int) bool { return s.index.entries[entry].isFact }

// leastPriceLead is the lead in score that a price needs over the next price to answer: where two services fit about
// equally, the customer chooses.
const leastPriceLead = 2

// areNearPrices reports whether the first two of the ranked candidates are prices with about the same score.
func (x *index) areNearPrices(ranked []Candidate) bool {
	return len(ranked) > 1 && x.entries[ranked[0].Entry].isPrice && x.entries[ranked[1].Entry].isPrice &&
		ranked[0].score-ranked[1].score < leastPriceLead
}

// isOther reports whether a question is closer to one that no fact answers than to the wordings of a fact.
func (x *index) isOther(r *scoredQuery, fact int) bool {
	near := r.like[fact][toWording] * spread[toWording]
	return slices.ContainsFunc(x.others, func(other encoder.Vector) bool {
		return float64(encoder.Cosine(r.whole, other)) > near
	})
}

// Candidates are the entries that may answer a question.
type Candidates struct {
	List    []Candidate
	index   *index
	reading *scoredQuery
	asked   []string // the words of the question
}

// Candidates returns the entries that may answer a question, in no order, or nil if the question cannot be encoded or
// no entry is live. It fails with ErrBusy.
func (s *Selector) Candidates(ctx context.Context, question string, live func(entry int) bool) (*Candidates, error) {
	asked := text.AppendWords(nil, question)
	if len(asked) == 0 || !s.embedder.reads(question) {
		return nil, nil
	}
	encoded, err := s.embedder.question(ctx, question)
	if err != nil {
		return nil, err
	}
	r := s.index.read(encoded)
	list := s.index.gather(s.words, r, question, live)
	if len(list) == 0 {
		return nil, nil
	}
	r.pieces = nil // all are compared, and a fit keeps many candidates
	return &Candidates{list, s.index, r, asked}, nil
}

// Reasons are what speaks for one entry, each from 0 to 1. What the encoder cannot say is 0.
type Reasons struct {
	Coverage float64 `json:"coverage"` // share of the question's words that the entry has, rare words counting more
	Nearest  float64 `json:"nearest"`  // similarity of its nearest wording, by words
	Wording  float64 `json:"wording"`  // similarity of its nearest wording, by the encoder
	Answer   float64 `json:"answer"`   // similarity of its question and answer together, by the encoder
}

// Explain returns what speaks for some entries.
func (s *Selector) Explain(ctx context.Context, question string, live func(entry int) bool, entries []int) []Reasons {
	reasons := make([]Reasons, len(entries))
	pairs, _ := s.words.Weigh(question, live, entries)
	for _, pair := range pairs {
		if i := slices.Index(entries, pair.Entry); i >= 0 {
			reasons[i] = Reasons{Coverage: pair.Evidence[lexical.EvCoverage], Nearest: pair.Evidence[lexical.EvNear]}
		}
	}
	if s.index == nil || !s.embedder.reads(question) {
		return reasons
	}
	encoded, err := s.embedder.question(ctx, question)
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
