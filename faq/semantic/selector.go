package semantic

import (
	"context"
	"slices"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// Selector chooses the entry whose approved text answers a question. It never changes, and is safe for
// concurrent use.
type Selector struct {
	words      *lexical.Selector
	embedder   *Embedder
	regime     *FittedModel // nil for content that is left to words
	entries    []entry
	outOfScope []encoder.Vector // questions that the owner wants unanswered
	others     []encoder.Vector // questions that facts do not answer
	having     map[int]float64  // by piece: how many entries have it
	texts      float64          // wordings of an entry of the owner, on average
}

// New makes the selector of entries; words is their lexical selector. With a nil embedder it compares by words only.
// unanswered are questions that the owner wants unanswered. What Prepare has not encoded is encoded now.
func New(words *lexical.Selector, r *Embedder, entries []content.Entry, unanswered []string) *Selector {
	s := &Selector{words: words, embedder: r}
	sources := r.sourcesOf(entries, unanswered)
	if sources == nil {
		return s
	}
	defer r.Hold()()
	_ = r.encodeAll(context.Background(), slices.Concat(sources...), func(int) {}) // has no end
	s.entries, s.having = make([]entry, len(entries)), map[int]float64{}
	for i := range entries {
		s.entries[i].Entry = &entries[i]
		s.learn(&s.entries[i], sources[i])
	}
	s.outOfScope, s.others = r.wholes(sources[len(entries)]), r.wholes(sources[len(entries)+1])
	_, s.texts = content.WordingsEach(entries)
	s.regime = r.parameters.Regime(s.FewWordings())
	return s
}

// wholes returns the vectors of texts, which must be known.
func (r *Embedder) wholes(texts []encoder.Text) (vectors []encoder.Vector) {
	for _, t := range texts {
		vectors = append(vectors, r.get(t).whole)
	}
	return vectors
}

// FewWordings reports whether the owner's entries count as having few wordings each.
func (s *Selector) FewWordings() bool { return s.texts < fewWordings }

// Select considers the entries, given by their place in the content, for which live is true. precision is the share of
// answers that must be right, from 0 to 1. It waits for a free processor as long as ctx allows; if none becomes free,
// it ranks by words, is sure of nothing, and says so in the choice. Apart from that, the same question, entries and
// precision give the same choice.
func (s *Selector) Select(ctx context.Context, question string, live func(entry int) bool, precision float64,
) lexical.Choice {
	candidates, err := s.Candidates(ctx, question, live)
	if candidates == nil {
		choice := s.words.Select(question, live, precision)
		choice.Busy = err != nil // words answer worse, and a crowd of questions must not make answers wrong
		choice.Sure = choice.Sure && !choice.Busy
		return choice
	}
	candidates.Rank(s.regime.Ranker)
	features, fitted, share := candidates.Features(), s.regime, 1.0
	if candidates.isFact() {
		fitted, share = s.embedder.parameters.Regime(false), factShare
	}
	choice := lexical.Choice{
		Confidence: lexical.Sigmoid(fitted.Trees.LogOdds(features)),
		Threshold:  share * fitted.Answers.At(precision), Encoded: true,
	}
	for _, c := range candidates.List[:min(len(candidates.List), lexical.Candidates)] {
		choice.Best = append(choice.Best, c.Entry)
	}
	if s.regime.Subject.LogOdds(features) >= s.regime.Far {
		choice.Near = min(candidates.countNear(), len(choice.Best))
	}
	choice.Sure = choice.Confidence >= choice.Threshold && !candidates.asksOther() && !candidates.areNearPrices()
	return choice
}

// farBehind is how far an entry may score below the first and still be a candidate. On the training desks no right
// entry among the first five is further away.
const farBehind = 6

// countNear returns how many of the ranked candidates are not far behind the first.
func (c *Candidates) countNear() (near int) {
	for _, k := range c.List {
		if k.score >= c.List[0].score-farBehind {
			near++
		}
	}
	return near
}

// factShare is the share of the usual threshold at which a fact answers: its wordings are those that customers use of
// any business, and questions that only sound like them are known.
const factShare = 0.4

// isFact reports whether the first of the ranked candidates is made from the catalog.
func (c *Candidates) isFact() bool { return c.selector.entries[c.List[0].Entry].IsFact }

// leastPriceLead is the lead in score that a price needs over the next price to answer: where two services fit about
// equally, the customer chooses.
const leastPriceLead = 2

// areNearPrices reports whether the first two of the ranked candidates are prices with about the same score. The first
// in another language is the same price.
func (c *Candidates) areNearPrices() bool {
	first := c.selector.entries[c.List[0].Entry]
	for _, next := range c.List[1:] {
		if e := c.selector.entries[next.Entry]; e.ID != first.ID {
			return first.IsPrice() && e.IsPrice() && c.List[0].score-next.score < leastPriceLead
		}
	}
	return false
}

// asksOther reports whether the first of the ranked candidates is a fact, and the question closer to one that no fact
// answers than to the fact's wordings.
func (c *Candidates) asksOther() bool {
	near := c.reading.like[c.List[0].Entry][toWording] * spread[toWording]
	return c.isFact() && slices.ContainsFunc(c.selector.others, func(other encoder.Vector) bool {
		return float64(encoder.Cosine(c.reading.whole, other)) > near
	})
}

// Candidates are the entries that may answer a question.
type Candidates struct {
	List     []Candidate
	selector *Selector
	reading  *scoredQuery
	question string
}

// Candidates returns the entries that may answer a question, in no order, or nil if the question cannot be encoded or
// no entry is live. It fails with ErrBusy.
func (s *Selector) Candidates(ctx context.Context, question string, live func(entry int) bool) (*Candidates, error) {
	r, err := s.score(ctx, question)
	if r == nil {
		return nil, err
	}
	list := s.gather(r, question, live)
	if len(list) == 0 {
		return nil, nil
	}
	r.pieces = nil // all are compared, and a fit keeps many candidates
	return &Candidates{list, s, r, question}, nil
}

// score encodes a question and compares it with every entry. It returns nil if the encoder cannot read the content or
// the question, and fails with ErrBusy.
func (s *Selector) score(ctx context.Context, question string) (*scoredQuery, error) {
	if s.regime == nil || !s.embedder.reads(question) {
		return nil, nil
	}
	encoded, err := s.embedder.question(ctx, question)
	if err != nil {
		return nil, err
	}
	return s.read(encoded), nil
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
	r, _ := s.score(ctx, question)
	if r == nil {
		return reasons
	}
	for i, entry := range entries {
		reasons[i].Wording = r.like[entry][toWording] * spread[toWording]
		reasons[i].Answer = r.like[entry][toPassage] * spread[toPassage]
	}
	return reasons
}
