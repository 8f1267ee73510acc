package lexical

import (
	"strings"
	"unicode"

	"frontdesk/content"
)

// Selector chooses the entry whose approved text answers a question. It never
// changes, and is safe for concurrent use.
type Selector struct {
	index       *index
	options     Options
	calibration *Calibration
	thresholds  Thresholds
	threshold   float64 // of the precision
	// neverSure are the entries with few wordings in a non-Latin script, for which the confidence is not calibrated
	neverSure []bool
}

// Choice is what a selector makes of a question.
type Choice struct {
	Best       []int    // the entries closest to the question, best first, at most Candidates; may be empty
	Near       int      // how many of Best are on the subject of the question, and may be suggested
	Confidence float64  // that Best[0] answers the question, from 0 to 1
	Threshold  float64  // the sureness from which Best[0] may answer
	Encoded    bool     // the encoder had a say
	Sure       bool     // Best[0] may answer
	Evidence   Evidence // for Best[0]
	Several    bool     // the first two of Best each answer a part of the question; none is its one answer
	Busy       bool     // only words were asked, because no processor was free to encode the question
}

// Candidates is how many entries a choice names at most: those among which a model
// may choose in a large FAQ (decisions, Answers).
const Candidates = 20

// Options are what a selector is made with.
type Options struct {
	Precision  float64    // the share of answers that must be right, from 0 to 1
	Unanswered []string   // questions that the owner wants unanswered
	Knowledge  *Knowledge // what it knows beside the content
}

// New makes the selector of the entries.
func New(entries []content.Entry, options Options) *Selector {
	know := options.Knowledge
	all := wordings(entries, options.Unanswered)
	s := &Selector{index: newIndex(entries, all, know.Background, know.Dense != nil), options: options,
		calibration: know.Sparse}
	if s.index.machines != nil {
		s.calibration = know.Dense
	}
	s.thresholds = s.calibration.Thresholds
	s.neverSure = make([]bool, len(entries))
	own, texts := 0, 0 // counts of the owner's entries only, because facts have many wordings
	for i := range entries {
		s.neverSure[i] = 1+len(entries[i].Alternates) < FewWordings && !hasLatin(entries[i].Question)
		if !entries[i].IsFact {
			own, texts = own+1, texts+1+len(entries[i].Own())
		}
	}
	if texts < FewWordings*own {
		s.thresholds = s.calibration.FewThresholds
	}
	return s.At(options.Precision)
}

// hasLatin reports whether a text has a Latin letter.
func hasLatin(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// At returns the selector for another share of answers that must be right.
func (s *Selector) At(precision float64) *Selector {
	c := *s
	c.threshold = s.thresholds.At(precision)
	return &c
}

// For returns a selector that is made like this one, of other entries.
func (s *Selector) For(entries []content.Entry) *Selector { return New(entries, s.options) }

// FewWordings are wordings an entry below which confidence is less true, so that the
// threshold is measured apart.
const FewWordings = 8

// leastCoverage is the share of the question's words, by what they say, that an entry
// must have to answer: a question that only shares one word with an entry is not about it.
const leastCoverage = 0.2

// Select considers the entries, given by their place in the content, for which live
// is true. The same question and entries give the same choice.
func (s *Selector) Select(question string, live func(entry int) bool) Choice {
	d := s.index.scratches.Get().(*scratch)
	defer s.index.scratches.Put(d)
	s.index.ask(d, question, live)
	if len(d.found) == 0 {
		return Choice{Threshold: s.threshold}
	}
	best := make([]int, min(len(d.found), Candidates))
	choice := Choice{Best: best, Threshold: s.threshold}
	for i := range best {
		best[i] = int(d.found[i].entry)
	}
	choice.Near = s.index.near(d, len(best))
	choice.Evidence = d.evidence
	choice.Confidence = s.calibration.confidence(&d.evidence)
	if s.neverSure[best[0]] {
		choice.Threshold = 1
		return choice
	}
	choice.Sure = choice.Confidence >= s.threshold && d.evidence[EvCoverage] >= leastCoverage
	return choice
}
