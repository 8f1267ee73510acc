package contract

import "net/mail"

// ValidAddress reports whether s is one plain e-mail address by the rule that the
// email field of a pilot request is held to.
func ValidAddress(s string) bool { return validate.Var(s, ruleAddress) == nil }

// The rule of an address (decisions): the validator's own e-mail rule and
// net/mail must agree that it is the whole value, so that neither a display name,
// a comment, a list nor a quoted local part passes.
const (
	ruleAddress      = "address"
	rulePlainAddress = "plain_address"
)

// isPlainAddress is net/mail's half of the rule, with the bounds that neither
// library has: ASCII of at most MaxEmail bytes.
func isPlainAddress(s string) bool {
	if len(s) > MaxEmail || !isASCII(s) {
		return false
	}
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && parsed.Name == ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
