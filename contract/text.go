package contract

import (
	"strings"
	"unicode"
)

// Characters that join letters in some scripts and emoji: the only format
// characters allowed in a one-line field (decisions).
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// CleanLine trims white space around a one-line field.
func CleanLine(s string) string { return strings.TrimSpace(s) }

// cleanText trims white space around a text of several lines and writes its line breaks
// as single line feeds, so that JSON and a browser's form give the same text.
func cleanText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
}

// CleanQuestion trims a question and replaces runs of white space with one space.
func CleanQuestion(s string) string { return strings.Join(strings.Fields(s), " ") }

// isLine reports whether s has only characters that are allowed in a one-line field: no
// control characters, no line separators, and no format characters except joiners, so
// that no bidi override can disguise a name.
func isLine(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		isPrintableASCII := ' ' <= r && r <= '~' // most characters, and quickly known
		return !isPrintableASCII && r != zeroWidthNonJoiner && r != zeroWidthJoiner &&
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// isText reports whether s has no control characters except tab and line feed. Format
// characters are allowed: free text may be in any script.
func isText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' })
}
