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
	if isASCII(question) {
		return asciiKey(question)
	}
	folded := cases.Fold().String(norm.NFKC.String(question))
	bare := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return -1
		}
		return r
	}, folded)
	return strings.Join(strings.Fields(bare), " ")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiKey is QuestionKey for ASCII in one pass, because every question is looked up by
// its key.
func asciiKey(question string) string {
	key := make([]byte, 0, len(question))
	gap := false // white space since the last word
	for _, c := range []byte(question) {
		switch r := rune(c); {
		case unicode.IsSpace(r):
			gap = true
			continue
		case unicode.IsPunct(r):
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if gap && len(key) > 0 {
			key = append(key, ' ')
		}
		gap = false
		key = append(key, c)
	}
	return string(key)
}
