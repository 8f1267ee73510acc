package content

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// QuestionKey returns the words of a question without regard to case, punctuation, white
// space and Unicode form (NFKC). Questions with the same key are the same question. The
// key is empty for a text without words.
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
