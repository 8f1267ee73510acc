package owner

import (
	"frontdesk/content"
	"frontdesk/internal/i18n"
)

// FaultText is a fault of content in the owner's words, in English.
func FaultText(fault content.Diagnostic) string {
	return visit{Printer: i18n.For("en")}.faultText(fault)
}

// NewWarnings are the warnings that changed content has and the one before has not, in English.
func NewWarnings(before, after *content.Content) []string {
	return visit{Printer: i18n.For("en")}.newWarnings(before, after)
}

// MailReasons are the stages of a delivery that have a reason.
var MailReasons = mailReasons

// Hash is what the pages with a token store of a key.
func Hash(token, key string) string { return (&Pages{Config: Config{Token: token}}).hash(key) }
