package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// QuestionKey returns the words of a question without regard to case, punctuation, white
// space and Unicode form (NFKC). Questions with the same key are the same question. The
// key is empty for a text without words.
func QuestionKey(question string) string {
	question = norm.NFKC.String(question)
	if strings.ContainsFunc(question, func(r rune) bool { return r >= utf8.RuneSelf }) {
		question = cases.Fold().String(question)
	} else {
		question = strings.ToLower(question) // the same for ASCII, in a tenth of the time
	}
	var words strings.Builder
	space := false
	for _, r := range question {
		switch {
		case unicode.IsSpace(r):
			space = words.Len() > 0
		case !unicode.IsPunct(r):
			if space {
				words.WriteByte(' ')
			}
			words.WriteRune(r)
			space = false
		}
	}
	return words.String()
}
