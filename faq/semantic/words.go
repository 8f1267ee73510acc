package semantic

import (
	"strings"

	"frontdesk/faq/encoder"
)

// word is the place of a word among the pieces of a text, and how much it says, from 0 to 1.
type word struct {
	from, to int
	weight   float64
}

// punctuation is what the pieces that are no part of a word consist of.
const punctuation = ".,;:!?…()\"'-–—„“”«»¿¡"

// weightOf returns how much a word says, by the information in its pieces: next to nothing for "the" and "you", half
// for "how", all for "gluten".
func weightOf(information float64) float64 {
	const commonest, rare, least = 8.5, 12.5, 0.03
	return min(max((information-commonest)/(rare-commonest), least), 1)
}

// segmented is a text cut into words. Sentences and clauses are given by the places of the words at which they end.
type segmented struct {
	words              []word
	sentences, clauses []int
}

func segment(e Encoder, pieces []token) (s segmented) {
	const unsaid = 0.01 // of punctuation on its own
	sentenceEnds := false
	for i, p := range pieces {
		text, information := e.Token(int(p.id))
		bare := strings.TrimPrefix(text, encoder.Space)
		if bare != text || len(s.words) == 0 {
			if sentenceEnds {
				s.sentences = append(s.sentences, len(s.words))
			}
			sentenceEnds = false
			s.words = append(s.words, word{from: i, to: i})
		}
		w := &s.words[len(s.words)-1]
		if bare != "" && strings.Trim(bare, punctuation) == "" {
			sentenceEnds = sentenceEnds || strings.ContainsAny(bare, ".!?…")
			if strings.ContainsAny(bare, ".!?…,;:-–") {
				s.clauses = append(s.clauses, len(s.words))
			}
			if w.from < i {
				continue // punctuation after a word is no part of it
			}
		} else {
			w.weight += information
		}
		w.to = i + 1
	}
	for i := range s.words {
		if w := &s.words[i]; w.weight == 0 {
			w.weight = unsaid
		} else {
			w.weight = weightOf(w.weight)
		}
	}
	s.sentences = append(s.sentences, len(s.words))
	s.clauses = append(s.clauses, len(s.words))
	return s
}

// leastClause is how many words a part of a question must have to be compared on its own.
const leastClause = 3

// clausesOf returns the clauses of a question. Those of few words belong to the next, or at the end to the one before.
func (s *segmented) clausesOf() (clauses [][]word) {
	start := 0
	for _, end := range s.clauses {
		if end-start >= leastClause || end == len(s.words) && len(clauses) == 0 {
			clauses = append(clauses, s.words[start:end])
			start = end
		}
	}
	if n := len(clauses); n > 0 && start < len(s.words) {
		last := clauses[n-1]
		clauses[n-1] = s.words[start-len(last):]
	}
	return clauses
}

// pooled returns the vector of some words of a text, given its pieces.
func pooled(pieces []token, words []word) encoder.Vector {
	return pool(pieces, words, func(word) float32 { return 1 })
}

// pooledByWeight is pooled, but the words that say more count more.
func pooledByWeight(pieces []token, words []word) encoder.Vector {
	return pool(pieces, words, func(w word) float32 { return float32(w.weight) / float32(max(w.to-w.from, 1)) })
}

func pool(pieces []token, words []word, count func(word) float32) encoder.Vector {
	sum := make(encoder.Vector, vectorSize)
	for _, w := range words {
		factor := count(w)
		for _, p := range pieces[w.from:w.to] {
			for i, v := range p.row.Values {
				sum[i] += float32(factor * float32(float32(v)*p.row.Scale))
			}
		}
	}
	return centre(sum, nil)
}
