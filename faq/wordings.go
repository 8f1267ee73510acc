package faq

import (
	"fmt"

	"frontdesk/content"
)

// leastWordings are the wordings an entry, its question included, below which most questions of customers get the
// fallback (docs/answers.md), and leastEntries the size from which that is worth a warning.
const (
	leastWordings = 2.5
	leastEntries  = 5
)

// FewWordings returns a warning if the entries have so few wordings that most questions will get the fallback.
func FewWordings(faq content.FAQ) []string {
	wordings := len(faq.Entries)
	for i := range faq.Entries {
		wordings += len(faq.Entries[i].Alternates)
	}
	each := float64(wordings) / float64(max(len(faq.Entries), 1))
	if len(faq.Entries) < leastEntries || each >= leastWordings {
		return nil
	}
	return []string{fmt.Sprintf("faq.yaml: %d entries have %.1f wordings each, so most questions will get the fallback; "+
		"add three to six alternates to each entry in your customers' words (frontdesk questions lists what they asked in vain)",
		len(faq.Entries), each)}
}
