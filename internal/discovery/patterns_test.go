package discovery

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// ecmaSpace is what \s matches in ECMA-262; in Go, \s matches only ASCII.
const ecmaSpace = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`

// goPattern returns the pattern at a path of the description, in Go's dialect.
func goPattern(t *testing.T, path string) *regexp.Regexp {
	t.Helper()
	at := expect.JSON[any](t, publicationOf(t, "", desk).openAPI())
	for name := range strings.SplitSeq("components/"+path+"/pattern", "/") {
		object, _ := at.(map[string]any)
		if at = object[name]; at == nil {
			t.Fatalf("the description has no %s", path)
		}
	}
	return regexp.MustCompile(strings.ReplaceAll(at.(string), `\s`, ecmaSpace))
}

// TestPatternsAreAsStrictAsTheContract compares each pattern with the validation of
// its field, for every special character up to U+FFFF and its neighbours, at the
// start, inside and at the end.
func TestPatternsAreAsStrictAsTheContract(t *testing.T) {
	t.Parallel()
	pilot := func(set func(*contract.PilotRequest, string)) func(string) bool {
		return func(s string) bool {
			p := contract.PilotRequest{Name: "a", Business: "a", Email: "a@example.com", Message: "a"}
			set(&p, s)
			p.Normalize()
			return contract.Validate(&p) == nil
		}
	}
	feedback := func(set func(*contract.Feedback, string)) func(string) bool {
		return func(s string) bool {
			f := contract.Feedback{Helpful: new(true), EntryID: "a", Q: "a"}
			set(&f, s)
			f.Normalize()
			return contract.Validate(&f) == nil
		}
	}
	tests := []struct {
		pattern string
		accepts func(string) bool
	}{
		{"PilotRequest/properties/name", pilot(func(p *contract.PilotRequest, s string) { p.Name = s })},
		{"PilotRequest/properties/business", pilot(func(p *contract.PilotRequest, s string) { p.Business = s })},
		{"PilotRequest/properties/message", pilot(func(p *contract.PilotRequest, s string) { p.Message = s })},
		{"PilotRequest/properties/phone", pilot(func(p *contract.PilotRequest, s string) { p.Phone = s })},
		{"Feedback/properties/entry_id", feedback(func(f *contract.Feedback, s string) { f.EntryID = s })},
		{"Feedback/properties/q", feedback(func(f *contract.Feedback, s string) { f.Q = s })},
		{"Feedback/properties/comment", feedback(func(f *contract.Feedback, s string) { f.Comment = s })},
		{"Feedback/then/properties/q", feedback(func(f *contract.Feedback, s string) { f.EntryID = ""; f.Q = strings.Map(printable, s) })},
		{"Question/properties/q", func(s string) bool {
			q := contract.Question{Q: s}
			q.Normalize()
			return contract.Validate(&q) == nil
		}},
	}
	for _, tt := range tests {
		expression := goPattern(t, "schemas/"+tt.pattern)
		for r := rune(0); r <= 0xffff; r++ {
			if !special(r) && (!special(r-1) && !special(r+1) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
				continue
			}
			for _, s := range []string{string(r), string(r) + "a", "a" + string(r) + "b", "a" + string(r), " " + string(r) + " "} {
				if strings.Contains(tt.pattern, "/then/") {
					s = strings.Map(printable, s)
				}
				if got, want := expression.MatchString(s), tt.accepts(s); got != want {
					t.Fatalf("%s of %+q: the pattern says %v, the contract %v", tt.pattern, s, got, want)
				}
			}
		}
		expect.Same(t, tt.pattern+" of an empty text", tt.accepts(""), expression.MatchString(""))
	}
}

// special reports whether some pattern may treat a character specially. Format
// characters and line separators are left to the words of the description.
func special(r rune) bool {
	return (unicode.IsSpace(r) || unicode.IsControl(r)) && !unicode.In(r, unicode.Zl, unicode.Zp)
}

// printable replaces control characters, which the pattern of "not blank" does not check.
func printable(r rune) rune {
	if unicode.IsControl(r) && !unicode.IsSpace(r) {
		return 'x'
	}
	return r
}

func TestKeyPattern(t *testing.T) {
	t.Parallel()
	expression := goPattern(t, "parameters/IdempotencyKey/schema")
	for key, want := range map[string]bool{
		"8e03978e-40d5-43dd-bc93-6894a57f9324": true, `"a b, c"`: true, `"a\"b"`: true, strings.Repeat("k", 255): true,
		"": false, `""`: false, "a b": false, "a,b": false, `a"b`: false, `"a`: false, "é": false, strings.Repeat("k", 256): false,
	} {
		expect.Same(t, fmt.Sprintf("%q matches", key), want, expression.MatchString(key))
	}
}
