package faq

import (
	"fmt"

	"frontdesk/content"
	"frontdesk/faq/semantic"
)

// leastWordings are the wordings an entry, its question included, below which most questions of customers get
// candidates only (docs/answers.md), and leastEntries the size from which that is worth a warning.
const (
	leastWordings = 2.5
	leastEntries  = 5
)

// SizeWarnings returns warnings about the number of entries and wordings: so few wordings that most questions will get
// the fallback, and, if the encoder is on, so many entries that it is not used.
func SizeWarnings(faq content.FAQ, encoder bool) (warnings []content.Diagnostic) {
	warn := func(code, message string, values ...any) {
		warnings = append(warnings, content.Diagnostic{
			File: content.FAQFile, Message: fmt.Sprintf(message, values...), Code: code, Values: values,
		})
	}
	entries, each := content.WordingsEach(faq.Entries)
	if entries >= leastEntries && each < leastWordings {
		warn("warning.few", "%d entries have %.1f wordings each, so most questions will get candidates in place of an "+
			"answer; add three to six alternates to each entry in your customers' words (frontdesk questions lists "+
			"the unanswered ones)", entries, each)
	}
	if entries = len(faq.Entries); encoder && entries > semantic.MaxEntries {
		warn("warning.many", "%d entries, counting each language, are more than the encoder reads (%d), so questions "+
			"are answered by their words only; remove or merge entries, give each five alternates or more, or set a "+
			"model (docs/model.md)",
			entries, semantic.MaxEntries)
	}
	return warnings
}
