package lexical

import (
	"strings"
	"unicode/utf8"
)

// A word of a question that neither the content nor general language knows, and that
// one typing error makes of a word of the content, is read as that word. Parts of words
// are not enough for a short one: "refnud" shares a single part with "refund".
const (
	shortestSlip  = 4   // characters of such a word
	minSubstitute = 5   // characters of one in which one may be another: "boat" is not "boot"
	slipShare     = 0.3 // of the weight of such a word that counts as never seen
)

// vocabulary is the words that a typing error may hide, by their first byte.
type vocabulary map[byte][]string

// gatherVocabulary keeps the words that entries have, and their stems: a question
// with a mistyped "refund" may be about content that says "refunds". Without counts of
// general language, a typing error cannot be told from a word of its own.
func (s *space) gatherVocabulary(known []bool) {
	if s.background.texts == 0 {
		return
	}
	s.vocabulary = vocabulary{}
	for word, found := range s.spellings {
		if found.stem != absent && known[found.stem] {
			s.vocabulary.add(word)
		}
	}
	for stem, number := range s.stems {
		if _, written := s.spellings[stem]; !written && known[number] {
			s.vocabulary.add(stem)
		}
	}
}

func (v vocabulary) add(word string) {
	if mayHide(word) {
		v[word[0]] = append(v[word[0]], word)
	}
}

// mayHide reports whether a word is long enough. Numbers are taken as they are.
func mayHide(word string) bool {
	return utf8.RuneCountInString(word) >= shortestSlip && !strings.ContainsAny(word, "0123456789")
}

// correctSpelling returns the content word one edit away from word, the most frequent if there are
// several, or word itself.
func (s *space) correctSpelling(word string) string {
	if len(s.vocabulary) == 0 || !mayHide(word) || s.background.words[word] > 0 {
		return word
	}
	best := word
	for _, first := range []byte(word[:2]) { // they may have changed places
		for _, candidate := range s.vocabulary[first] {
			if isOneEdit(word, candidate) && (best == word || s.rarer(best, candidate)) {
				best = candidate
			}
		}
	}
	return best
}

// rarer reports whether fewer texts have a word than another. Words of equal rank go by
// the alphabet, so that the choice never varies.
func (s *space) rarer(word, other string) bool {
	one, two := s.weight[s.numberOf(word)], s.weight[s.numberOf(other)]
	return one > two || one == two && word > other
}

// numberOf gives the stem of a word of the vocabulary.
func (s *space) numberOf(word string) feature {
	if found, written := s.spellings[word]; written {
		return found.stem
	}
	return s.stems[word]
}

// isOneEdit reports whether one typing error lies between two words: a character too many,
// too few or wrong, or two that changed places.
func isOneEdit(a, b string) bool {
	if len(a)-len(b) > utf8.UTFMax || len(b)-len(a) > utf8.UTFMax {
		return false
	}
	long := utf8.RuneCountInString(a) >= minSubstitute
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 2 && len(b) == 2 {
		return a[0] == b[1] && a[1] == b[0]
	}
	mine, other := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	return mine <= 1 && other <= 1 && (long || mine != other)
}
