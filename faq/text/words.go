// Package text reads a question as words: case, Unicode form and contractions
// unified, scripts without spaces cut into pairs of characters, English words
// reduced to stems.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// AppendWords appends the words of a text to words.
func AppendWords(words []string, text string) []string {
	for word := range strings.FieldsFuncSeq(fold(text), isGap) {
		words = appendWord(words, word)
	}
	return words
}

func appendWord(words []string, word string) []string {
	if isASCII(word) && strings.IndexByte(word, '\'') < 0 {
		if spelled, contracted := bare[word]; contracted {
			return append(words, spelled...)
		}
		return append(words, word)
	}
	for part := range strings.SplitSeq(open(straighten(word)), "'") {
		if part != "" {
			words = appendScripts(words, part)
		}
	}
	return words
}

// fold unifies case and compatibility forms. Folding can undo the normal form, so
// that is made again, as Unicode's NFKC_Casefold does.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isGap reports whether r stands between words.
func isGap(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && r != '\''
	}
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !isApostrophe(r) && !unicode.Is(unicode.Cf, r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '\u2018' || r == '\u2019' || r == '\u02bc' }

// straighten makes every apostrophe the plain one, and takes out the format
// characters that stand inside a word without being part of it, such as the soft
// hyphen.
func straighten(word string) string {
	if isASCII(word) {
		return word
	}
	return strings.Map(func(r rune) rune {
		switch {
		case isApostrophe(r):
			return '\''
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, word)
}
