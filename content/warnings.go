package content

import (
	"fmt"
	"slices"
	"time"
)

// Warnings lists what is not refused but worth the owner's attention at now,
// sorted by file and line.
func (c *Content) Warnings(now time.Time) []Fault {
	warnings := slices.Clone(c.notes)
	for i := range c.FAQ.Entries {
		warnings = append(warnings, c.FAQ.Entries[i].warnings(now)...)
	}
	warnings = append(warnings, c.strayAmounts()...)
	warnings = append(warnings, c.forbiddenClaims()...)
	sortFaults(warnings)
	return warnings
}

func (e *Entry) warnings(now time.Time) (warnings []Fault) {
	warn := func(message, hint string) {
		warnings = append(warnings, Fault{File: faqFile, Line: e.Line, Message: message, Hint: hint})
	}
	if !e.Live(now) {
		warn(fmt.Sprintf("the entry %q expired on %s and no longer answers", e.ID, e.Expires.Format(time.DateOnly)), "")
	} else if past(e.ReviewBy, now) {
		warn(fmt.Sprintf("the entry %q was to be reviewed by %s", e.ID, e.ReviewBy.Format(time.DateOnly)),
			"read it again and set a new review_by")
	}
	return warnings
}
