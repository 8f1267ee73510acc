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

// segment cuts a text into words. A sentence is given by the index after its last word.
func segment(e Encoder, pieces []token) (words []word, sentences []int) {
	const unsaid = 0.01 // of punctuation on its own
	sentenceEnds := false
	for i, p := range pieces {
		text, information := e.Token(p.id)
		bare := strings.TrimPrefix(text, encoder.Space)
		if bare != text || len(words) == 0 {
			if sentenceEnds {
				sentences = append(sentences, len(words))
			}
			sentenceEnds = false
			words = append(words, word{from: i, to: i})
		}
		w := &words[len(words)-1]
		if bare != "" && strings.Trim(bare, punctuation) == "" {
			sentenceEnds = sentenceEnds || strings.ContainsAny(bare, ".!?…")
			if w.from < i {
				continue // punctuation after a word is no part of it
			}
		} else {
			w.weight += information
		}
		w.to = i + 1
	}
	for i := range words {
		if w := &words[i]; w.weight == 0 {
			w.weight = unsaid
		} else {
			w.weight = weightOf(w.weight)
		}
	}
	return words, append(sentences, len(words))
}

// pooled returns the vector of some words of a text, given its pieces.
func pooled(pieces []token, words []word) encoder.Vector {
	var vectors []encoder.Vector
	for _, w := range words {
		for _, p := range pieces[w.from:w.to] {
			vectors = append(vectors, p.row.Append(nil))
		}
	}
	return centroid(vectors)
}
