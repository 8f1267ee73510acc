package mailer

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanSubject returns the subject as a mail carries it: one line, with control
// characters and runs of white space as single spaces. Folding a header (RFC 5322
// 2.2.3) keeps no more than that, so what a preview shows is what arrives.
func CleanSubject(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return strings.Join(words, " ")
}

const (
	// encodedMark opens an encoded word (RFC 2047 2).
	encodedMark = "=?"
	// maxPlain keeps a header without a place to fold below the 998 characters of
	// RFC 5322 2.1.1.
	maxPlain = 900
	// chunk is how many bytes of text an encoded word holds, in base64. "Subject: " and
	// the first word fit in a line as go-mail folds it (76 characters, RFC 2047 2), so
	// the subject starts on its header line: some readers show it as empty otherwise.
	chunk = 36
)

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// headerText encodes what a header cannot hold as it is: text beyond ASCII, text that
// looks like an encoded word, and words too long for a line. Other text is returned
// unchanged.
func headerText(s string) string {
	if !strings.Contains(s, encodedMark) && len(s) <= maxPlain && isASCII(s) {
		return s
	}
	var words []string
	for len(s) > 0 {
		cut := min(chunk, len(s))
		for cut < len(s) && !utf8.RuneStart(s[cut]) {
			cut--
		}
		words = append(words, encodedMark+"utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:cut]))+"?=")
		s = s[cut:]
	}
	return strings.Join(words, " ")
}
