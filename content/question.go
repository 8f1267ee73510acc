package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"frontdesk/contract"
)

// QuestionKey returns the words of a question without regard to case, white space, Unicode
// form (NFKC), characters that are drawn as nothing, and punctuation other than between two
// digits: 1.5 is not 15. Dashes are the same there, and so are apostrophes. Questions with the
// same key are the same question.
// The key is empty for a text without words.
func QuestionKey(question string) string {
	if strings.ContainsFunc(question, func(r rune) bool { return r >= utf8.RuneSelf }) {
		question = cases.Fold().String(norm.NFKC.String(contract.VisibleText(question)))
	} else {
		question = strings.ToLower(question) // the same for ASCII, in a tenth of the time
	}
	var words strings.Builder
	space, afterDigit := false, false
	for i, r := range question {
		isMark := unicode.IsPunct(r)
		switch {
		case unicode.IsSpace(r):
			space = words.Len() > 0
		case !isMark || afterDigit && goesOn(question[i:]):
			if space {
				words.WriteByte(' ')
			}
			words.WriteRune(sameMark(r))
			space = false
		}
		afterDigit = isMark && afterDigit || unicode.IsNumber(r)
	}
	return words.String()
}

// goesOn reports whether a digit follows the punctuation at the beginning of a text.
func goesOn(text string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unicode.IsPunct))
	return unicode.IsNumber(next)
}

// sameMark returns one sign for all dashes and one for all apostrophes.
func sameMark(r rune) rune {
	switch {
	case unicode.Is(unicode.Pd, r):
		return '-'
	case r == '’':
		return '\''
	}
	return r
}
