package faq

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// words gives the words of a text, case and compatibility forms unified.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(fold(text), isGap) {
			if word = closeUp(word); word == "" {
				continue
			}
			if isASCII(word) {
				if !yield(word) {
					return
				}
			} else if !splitScripts(word, yield) {
				return
			}
		}
	}
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
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !isJoint(r)
}

// isJoint reports whether r stands inside a word without being part of it: the
// apostrophes, and format characters such as the soft hyphen.
func isJoint(r rune) bool {
	return r == '\'' || r == '\u2018' || r == '\u2019' || r == '\u02bc' || r > unicode.MaxASCII && unicode.Is(unicode.Cf, r)
}

// closeUp takes the joints out of a word.
func closeUp(word string) string {
	if strings.IndexFunc(word, isJoint) < 0 {
		return word
	}
	return strings.Map(func(r rune) rune {
		if isJoint(r) {
			return -1
		}
		return r
	}, word)
}
