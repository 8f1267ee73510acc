package faq

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// prolongedSound lengthens a vowel in Katakana; Unicode counts it to no script.
const prolongedSound = 'ー'

// isUnspaced reports whether r belongs to a script that writes no spaces between
// words. Its text is read as overlapping pairs of characters, which needs no
// dictionary.
func isUnspaced(r rune) bool {
	return r > unicode.MaxLatin1 && (r == prolongedSound || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// splitScripts gives the runs of word: those of an unspaced script as pairs of
// characters, the others whole. It reports whether more words are wanted.
func splitScripts(word string, yield func(string) bool) bool {
	for word != "" {
		first, _ := utf8.DecodeRuneInString(word)
		unspaced := isUnspaced(first)
		end := strings.IndexFunc(word, func(r rune) bool { return isUnspaced(r) != unspaced })
		if end < 0 {
			end = len(word)
		}
		run := word[:end]
		word = word[end:]
		if unspaced && !pairsOf(run, yield) || !unspaced && !yield(run) {
			return false
		}
	}
	return true
}

// pairsOf gives each two neighbouring characters of run, or its only one.
func pairsOf(run string, yield func(string) bool) bool {
	_, size := utf8.DecodeRuneInString(run)
	if size == len(run) {
		return yield(run)
	}
	for size < len(run) {
		_, next := utf8.DecodeRuneInString(run[size:])
		if !yield(run[:size+next]) {
			return false
		}
		run, size = run[size:], next
	}
	return true
}
