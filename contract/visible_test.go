package contract

import (
	"fmt"
	"testing"
	"unicode"
	"unicode/utf8"

	"frontdesk/internal/expect"
)

func TestVisibleText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"plain":                  {"Do you bake?", "Do you bake?"},
		"white space":            {" Do\tyou\n\u00a0bake? ", "Do you bake?"},
		"controls":               {"Do\x00 you\x1b[31m bake?\x7f", "Do you[31m bake?"},
		"bidi":                   {"\u202eekab uoy oD\u202c \u2066x\u2069", "ekab uoy oD x"},
		"zero width":             {"re\u200bfunds\ufeff\u2060\u00ad", "refunds"},
		"tags":                   {"refunds\U000E0069\U000E0067\U000E006E\U000E007F", "refunds"},
		"variation selectors":    {"refunds\ufe0f\U000E0100", "refunds"},
		"fillers":                {"re\u3164f\u115f\u034fu\u2800nds", "refunds"},
		"private and unassigned": {"re\ue000f\U000EFFFFunds\uffff", "refunds"},
		"joiner of Persian":      {"می\u200cخواهم", "می\u200cخواهم"},
		"joiners as a code":      {"می\u200c\u200d\u200cخواهم\u200c", "میخواهم"},
		"joiner between Latin":   {"re\u200dfunds", "refunds"},
		"letters of any script":  {"Für 犬 и кот? 🙂 हिन्दी", "Für 犬 и кот? 🙂 हिन्दी"},
		"only hidden":            {"\u200b\u202e", ""},
		"not UTF-8":              {"a\xffb", "a\ufffdb"},
	} {
		expect.Same(t, fmt.Sprintf("%s: VisibleText(%q)", name, tt.text), tt.want, VisibleText(tt.text))
	}
}

func FuzzVisibleText(f *testing.F) {
	for _, seed := range []string{"Do you bake?", "\u202ea\u200cب\u200cب", "\xff\x00 \t", "\U000E0041"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := VisibleText(text)
		if again := VisibleText(got); again != got {
			t.Fatalf("VisibleText(%q) = %q, then %q", text, got, again)
		}
		for _, r := range got {
			if unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Variation_Selector) || !utf8.ValidRune(r) {
				t.Fatalf("VisibleText(%q) = %q holds %U", text, got, r)
			}
		}
	})
}
