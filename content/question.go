package content

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// QuestionKey is what makes two questions the same one: their words, whatever the
// case, the punctuation, the white space and the Unicode form (NFKC). It is empty
// for a text without any word.
func QuestionKey(question string) string {
	folded := cases.Fold().String(norm.NFKC.String(question))
	bare := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return -1
		}
		return r
	}, folded)
	return strings.Join(strings.Fields(bare), " ")
}
