package lexical

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"frontdesk/internal/expect"
)

func TestSlip(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"refnud", "refund", true},
		{"erfund", "refund", true},
		{"refun", "refund", true},
		{"refuned", "refund", true},
		{"refond", "refund", true},
		{"refund", "refund", true},
		{"setp", "step", true},
		{"fee", "feee", true},
		{"boat", "boot", false}, // too short for another character
		{"refnudd", "refund", false},
		{"rfeudn", "refund", false},
		{"refund", "prefunds", false},
		{"großes", "grosses", false},
		{"zürück", "zurück", true},
		{"zurükc", "zurück", true},
		{"", "refund", false},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			expect.Same(t, fmt.Sprintf("isOneEdit(%q, %q)", pair[0], pair[1]), test.want, isOneEdit(pair[0], pair[1]))
		}
	}
}

func FuzzSlip(f *testing.F) {
	f.Add("refnud", 2)
	f.Add("zurück", 4)
	f.Fuzz(func(t *testing.T, word string, at int) {
		runes := []rune(word)
		if !utf8.ValidString(word) || at < 0 || at >= len(runes) || len(runes) < minSubstitute {
			t.Skip()
		}
		without := string(runes[:at]) + string(runes[at+1:])
		other := string(runes[:at]) + "x" + string(runes[at+1:])
		if !isOneEdit(word, without) || !isOneEdit(without, word) || !isOneEdit(word, other) {
			t.Errorf("%q, %q or %q is not one error away", word, without, other)
		}
	})
}

func TestMeant(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	s := newIndex(entries, wordings(entries, []string{"where is the zeppelin"}), Shipped().Background, false).space
	for word, want := range map[string]string{
		"refnud":    "refund",
		"erfund":    "refund",
		"canecl":    "cancel",
		"calender":  "calendar",
		"zepplin":   "zepplin",   // a word that only an unanswered question has
		"weather":   "weather",   // general language has it
		"ref":       "ref",       // too short
		"refu7d":    "refu7d",    // a number is taken as it is
		"rfeudn":    "rfeudn",    // two errors
		"xylophone": "xylophone", // nothing like it
	} {
		expect.Same(t, fmt.Sprintf("meant(%q)", word), want, s.correctSpelling(word))
	}
	german := newIndex(entries, wordings(entries, nil), new(Background), false).space
	expect.Same(t, "meant(\"refnud\") without general language", "refnud", german.correctSpelling("refnud"))
}

// A word behind a typing error says less than the word itself.
func TestTyposMakeNoSurer(t *testing.T) {
	t.Parallel()
	s := newSelector(t, sample(t))
	for right, wrong := range map[string]string{
		"are there refunds for me":       "are there refnuds for me",
		"tell me how to cancel it today": "tell me how to canecl it today",
	} {
		clean, slipped := s.Select(right, everyone), s.Select(wrong, everyone)
		if slipped.Best[0] != clean.Best[0] || slipped.Confidence > clean.Confidence {
			t.Errorf("%q is %v, %q is %v", right, clean.Confidence, wrong, slipped.Confidence)
		}
	}
}
