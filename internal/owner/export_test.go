package owner

import (
	"frontdesk/content"
	"frontdesk/internal/i18n"
)

func FaultText(fault content.Diagnostic) string {
	return visit{Printer: i18n.For("en")}.faultText(fault)
}

func NewWarnings(before, after *content.Content) []string {
	return visit{Printer: i18n.For("en")}.newWarnings(before, after)
}

var MailReasons = mailReasons

// Hash is what the pages with a token store of a key.
func Hash(token, key string) string { return (&Pages{Config: Config{Token: token}}).hash(key) }
