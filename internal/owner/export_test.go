package owner

import (
	"frontdesk/content"
	"frontdesk/internal/i18n"
)

// FaultText is a fault of content in the owner's words, in English.
func FaultText(fault content.Diagnostic) string {
	return faultText(session{Printer: i18n.For("en")}, fault)
}

// MailReasons are the stages of a delivery that have a reason.
var MailReasons = mailReasons

// Hash is what the pages with a token store of a key.
func Hash(token, key string) string { return (&Pages{Config: Config{Token: token}}).hash(key) }
