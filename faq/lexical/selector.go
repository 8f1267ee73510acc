// Package lexical chooses entries by their words alone. It serves languages that the encoder cannot read, content with
// many entries, and services that run without the encoder. Package semantic adds the evidence of the encoder.
package lexical

import (
	"strings"
	"unicode"
)

// Choice is what a selector makes of a question.
type Choice struct {
	Best       []int   // the entries closest to the question, best first, at most Candidates; may be empty
	Near       int     // how many of Best are on the subject of the question, and may be suggested
	Confidence float64 // that Best[0] answers the question, from 0 to 1
	Threshold  float64 // the confidence from which Best[0] may answer
	Encoded    bool    // the encoder was used
	Sure       bool    // Best[0] may answer
	Several    bool    // the first two of Best each answer a part of the question; none is its one answer
	Busy       bool    // compared by words only, because no processor was free to encode the question
}

// Candidates is how many entries a choice names at most: those among which a model
// may choose in a large FAQ (decisions, Answers).
const Candidates = 20

// FewWordings is the number of wordings below which the confidence in an entry is less reliable. Such entries have
// thresholds of their own.
const FewWordings = 8

// leastCoverage is the share of the question's words, weighted by rarity, that an entry must have to answer or to be
// suggested: a question that only shares one word with an entry is not about it. leastOfFirst is the share of the first
// entry's score that another entry must have to be suggested.
const (
	leastCoverage = 0.2
	leastOfFirst  = 0.4
)

// unearned is a threshold that no confidence reaches.
const unearned = 1

// threshold returns the confidence from which an entry may answer at a precision. An entry of few wordings in a
// non-Latin script never does, because its confidence is not calibrated.
func (x *Selector) threshold(entry int, precision float64) float64 {
	e := &x.entries[entry]
	switch {
	case !e.IsFact && 1+len(e.Own()) >= FewWordings:
		return x.know.Calibration.Thresholds.At(precision)
	case strings.ContainsFunc(e.Question, func(r rune) bool { return unicode.Is(unicode.Latin, r) }):
		return x.know.Calibration.FewThresholds.At(precision)
	}
	return unearned
}

// Select considers the entries, given by their place in the content, for which live is true. precision is the share of
// answers that must be right, from 0 to 1. The same question, entries and precision give the same choice.
func (x *Selector) Select(question string, live func(entry int) bool, precision float64) Choice {
	pairs, unanswered := x.Weigh(question, live, nil)
	if len(pairs) == 0 {
		return Choice{Threshold: unearned}
	}
	first := &pairs[0]
	choice := Choice{
		Confidence: Sigmoid(Dot(first.Evidence.Terms(), x.know.Calibration.Weights)),
		Threshold:  x.threshold(first.Entry, precision),
	}
	for i, p := range pairs[:min(len(pairs), Candidates)] {
		choice.Best = append(choice.Best, p.Entry)
		if choice.Near == i && p.Evidence[EvCoverage] >= leastCoverage && p.Score >= leastOfFirst*first.Score {
			choice.Near++
		}
	}
	choice.Sure = choice.Confidence >= choice.Threshold && first.Evidence[EvCoverage] >= leastCoverage &&
		first.Evidence[EvNear] > unanswered
	return choice
}
