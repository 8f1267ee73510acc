package content

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longestNewID is about how many characters NewID uses of a text.
const longestNewID = 40

// digestInID is how many digits of its digest are in the id of a text that gives no other.
const digestInID = 6

// undivided are the Latin letters that Unicode does not divide into one of ASCII and a mark.
var undivided = strings.NewReplacer("ß", "ss", "ł", "l", "ø", "o", "æ", "ae", "œ", "oe", "đ", "d", "ð", "d",
	"þ", "th", "ı", "i")

// NewID makes an id from text that is not taken. If text has no Latin letters or digits, the id is otherwise and a
// digest of text; if text is empty, it is only otherwise.
func NewID(text, otherwise string, taken func(id string) bool) string {
	var id strings.Builder
	for _, r := range norm.NFD.String(undivided.Replace(strings.ToLower(text))) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			id.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case id.Len() > 0 && !strings.HasSuffix(id.String(), "-"):
			id.WriteByte('-')
		}
		if id.Len() >= longestNewID {
			break
		}
	}
	if strings.TrimSpace(text) != "" {
		otherwise += "-" + revision(text)[:digestInID]
	}
	base := cmp.Or(strings.Trim(id.String(), "-"), otherwise)
	made := base
	for n := 2; taken(made); n++ {
		made = base + "-" + strconv.Itoa(n)
	}
	return made
}
