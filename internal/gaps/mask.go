package gaps

import "regexp"

// What replaces a part that could name a person.
const (
	maskedMail   = "[mail]"
	maskedURL    = "[url]"
	maskedNumber = "[number]"
)

// Patterns of such parts. They mask too much rather than too little: a
// question is kept for its subject, and an address or a number is not one.
var (
	// A word with an @ in it: a mail address, or a name at some service.
	mailPattern = regexp.MustCompile(`[^\s<>"'()\[\],;]*[@＠](?:[^\s<>"'()\[\],;]*[\pL\pN@＠])?`)
	// An address with a scheme, one that begins with www, or a name of two parts
	// or more whose last one is letters, with a path or without.
	urlPattern = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*://|www\.)\S+|(?:[\pL\pN-]+\.)+\pL{2,}(?:[:/]\S*)?`)
	// Digits of any script, with what is written between those of one number.
	numberPattern = regexp.MustCompile(`[+(]*\pN(?:[\pN\s().,:/+-]*\pN)?`)
)

// Mask hides mail addresses, web addresses and numbers of a question.
func Mask(question string) string {
	question = mailPattern.ReplaceAllLiteralString(question, maskedMail)
	question = urlPattern.ReplaceAllLiteralString(question, maskedURL)
	return numberPattern.ReplaceAllLiteralString(question, maskedNumber)
}

var maskPattern = regexp.MustCompile(`\[(mail|url|number)\]`)

// IsMasked reports whether something was hidden in a question.
func IsMasked(question string) bool { return maskPattern.MatchString(question) }
