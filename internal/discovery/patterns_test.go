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

// Each pattern accepts what the validation of its field accepts, with every special character up to U+FFFF and its
// neighbours, at the start, inside and at the end.
func TestPatternsAreAsStrictAsTheContract(t *testing.T) {
	t.Parallel()
	pilot := func(field func(*contract.PilotRequest) *string) func(string) bool {
		return func(s string) bool {
			p := contract.PilotRequest{Name: "a", Business: "a", Email: "a@example.com", Message: "a"}
			*field(&p) = s
			p.Normalize()
			return contract.Validate(&p) == nil
		}
	}
	feedback := func(q, entry, comment string) bool {
		f := contract.Feedback{Helpful: new(true), Q: q, EntryID: entry, Comment: comment}
		f.Normalize()
		return contract.Validate(&f) == nil
	}
	for pattern, accepts := range map[string]func(string) bool{
		"PilotRequest/properties/name":     pilot(func(p *contract.PilotRequest) *string { return &p.Name }),
		"PilotRequest/properties/business": pilot(func(p *contract.PilotRequest) *string { return &p.Business }),
		"PilotRequest/properties/message":  pilot(func(p *contract.PilotRequest) *string { return &p.Message }),
		"PilotRequest/properties/phone":    pilot(func(p *contract.PilotRequest) *string { return &p.Phone }),
		"Feedback/properties/entry_id":     func(s string) bool { return feedback("a", s, "") },
		"Feedback/properties/q":            func(s string) bool { return feedback(s, "a", "") },
		"Feedback/properties/comment":      func(s string) bool { return feedback("a", "a", s) },
		"Feedback/then/properties/q":       func(s string) bool { return feedback(strings.Map(printable, s), "", "") },
		"Question/properties/q": func(s string) bool {
			q := contract.Question{Q: s}
			q.Normalize()
			return contract.Validate(&q) == nil
		},
	} {
		expression := goPattern(t, "schemas/"+pattern)
		for r := rune(0); r <= 0xffff; r++ {
			if !special(r) && (!special(r-1) && !special(r+1) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
				continue
			}
			for _, s := range []string{"%c", "%ca", "a%cb", "a%c", " %c "} {
				s = fmt.Sprintf(s, r)
				if strings.Contains(pattern, "/then/") {
					s = strings.Map(printable, s)
				}
				if got, want := expression.MatchString(s), accepts(s); got != want {
					t.Fatalf("%s of %+q: the pattern says %v, the contract %v", pattern, s, got, want)
				}
			}
		}
		expect.Same(t, pattern+" of an empty text", accepts(""), expression.MatchString(""))
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
		"": false, `""`: false, "a b": false, "a,b": false, `a"b`: false, `"a`: false,
		"é": false, strings.Repeat("k", 256): false,
	} {
		expect.Same(t, fmt.Sprintf("%q matches", key), want, expression.MatchString(key))
	}
}
