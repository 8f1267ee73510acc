package contract

import (
	"net/mail"
	"strings"
	"unicode"

	"github.com/go-playground/validator/v10"
	"golang.org/x/net/idna"
)

// ASCIIHost returns a host in the form that the DNS and browsers have: münchen.example becomes
// xn--mnchen-3ya.example. A host of ASCII stays as it is.
func ASCIIHost(host string) (string, error) {
	if !strings.ContainsFunc(host, isNotASCII) {
		return host, nil
	}
	return idna.Lookup.ToASCII(host)
}

func isNotASCII(r rune) bool { return r > unicode.MaxASCII }

// ValidAddress reports whether s is one plain e-mail address, by the rule for the email
// field of a pilot request.
func ValidAddress(s string) bool { return validate.Var(s, ruleAddress) == nil }

// The rule of an address (decisions): the validator's e-mail rule and net/mail must both
// accept the whole value, so that a display name, a comment, a list or a quoted local
// part is refused.
const (
	ruleAddress = "address"
	ruleEmail   = "email"
)

// addressRule implements ruleAddress. The two libraries take as long as the rest of a dry
// run, so common addresses, which both accept, skip them.
func addressRule(v *validator.Validate) func(string) bool {
	return func(s string) bool { return isCommonAddress(s) || (isPlainAddress(s) && v.Var(s, ruleEmail) == nil) }
}

// isCommonAddress reports whether s is an address of letters, digits and the usual signs
// between them. An address for which it is false may still be valid.
func isCommonAddress(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	top := domain[strings.LastIndexByte(domain, '.')+1:]
	return len(s) <= MaxEmail && len(top) < len(domain) &&
		isJoined(local, "._+-") && isJoined(domain, ".-") && !strings.ContainsAny(top, "-0123456789")
}

// isJoined reports whether s is ASCII letters and digits, joined by single signs.
func isJoined(s, signs string) bool {
	joint := true // no sign is allowed here
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			joint = false
		case joint || strings.IndexByte(signs, c) < 0:
			return false
		default:
			joint = true
		}
	}
	return !joint
}

// isPlainAddress is net/mail's part of the rule, with a bound that neither library has:
// ASCII of at most MaxEmail bytes.
func isPlainAddress(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && parsed.Name == "" && len(s) <= MaxEmail &&
		!strings.ContainsFunc(s, isNotASCII)
}
