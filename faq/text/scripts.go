package text

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

// appendScripts appends the runs of word: those of an unspaced script as pairs of
// characters, the others whole.
func appendScripts(words []string, word string) []string {
	for word != "" {
		first, _ := utf8.DecodeRuneInString(word)
		unspaced := isUnspaced(first)
		end := strings.IndexFunc(word, func(r rune) bool { return isUnspaced(r) != unspaced })
		if end < 0 {
			end = len(word)
		}
		if unspaced {
			words = appendPairs(words, word[:end])
		} else {
			words = append(words, word[:end])
		}
		word = word[end:]
	}
	return words
}

// appendPairs appends each two neighbouring characters of run, or its only one.
func appendPairs(words []string, run string) []string {
	_, size := utf8.DecodeRuneInString(run)
	if size == len(run) {
		return append(words, run)
	}
	for size < len(run) {
		_, next := utf8.DecodeRuneInString(run[size:])
		words = append(words, run[:size+next])
		run, size = run[size:], next
	}
	return words
}
