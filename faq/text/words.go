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
	if contraction, isBare := bare[word]; isBare {
		word = contraction
	}
	if isASCII(word) && strings.IndexByte(word, '\'') < 0 {
		return append(words, word)
	}
	for part := range strings.SplitSeq(open(straighten(word)), "'") {
		words = appendScripts(words, part)
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

// isGap reports whether r separates words.
func isGap(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !isApostrophe(r) &&
		!unicode.Is(unicode.Cf, r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '\u2018' || r == '\u2019' || r == '\u02bc' }

// straighten makes every apostrophe the plain one, and takes out the format
// characters inside a word that are no part of it, such as the soft
// hyphen.
func straighten(word string) string {
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

// open takes the not out of an English contraction, so that "don't" is read as
// "do not"; what follows any other apostrophe is a word of its own ("what's",
// "we'll", French "l'adresse").
func open(word string) string {
	stem, negated := strings.CutSuffix(word, "n't")
	switch {
	case !negated:
		return word
	case stem == "ca":
		return "can'not"
	case stem == "wo":
		return "will'not"
	}
	return stem + "'not"
}

// bare maps contractions that are typed without an apostrophe to those with it. "well", "ill" and "were" are missing,
// because they are words of their own.
var bare = func() map[string]string {
	bare := map[string]string{"cannot": "can't"}
	for word := range strings.FieldsSeq(`can't won't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't
		couldn't wouldn't shouldn't i'm i've you're they're what's where's who's how's that's there's let's`) {
		bare[strings.ReplaceAll(word, "'", "")] = word
	}
	return bare
}()

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
			words = AppendGrams(words, word[:end], 2)
		} else {
			words = append(words, word[:end])
		}
		word = word[end:]
	}
	return words
}

// AppendGrams appends each n neighbouring characters of a text to grams, or all of a shorter text.
func AppendGrams(grams []string, text string, n int) []string {
	characters := []rune(text)
	for i := range max(len(characters)-n+1, 1) {
		grams = append(grams, string(characters[i:min(i+n, len(characters))]))
	}
	return grams
}
