package content

import (
	"fmt"
	"slices"
	"time"
)

// Warnings lists problems that are not refused but need the owner's attention at now,
// sorted by file and line.
func (c *Content) Warnings(now time.Time) []Fault {
	warnings := slices.Clone(c.notes)
	for i := range c.FAQ.Entries {
		warnings = append(warnings, c.FAQ.Entries[i].warnings(now)...)
	}
	warnings = append(warnings, c.leftovers()...)
	warnings = append(warnings, c.strayAmounts()...)
	warnings = append(warnings, c.forbiddenClaims()...)
	sortFaults(warnings)
	return slices.Compact(warnings) // an entry may say the same in several languages
}

// Fault returns a fault at the line of the entry.
func (e *Entry) Fault(message, hint string) Fault {
	return Fault{File: faqFile, Line: e.Line, Message: message, Hint: hint}
}

func (e *Entry) warnings(now time.Time) []Fault {
	switch {
	case !e.Live(now):
		return []Fault{e.Fault(fmt.Sprintf("the entry %q expired on %s and no longer answers", e.ID, e.Expires.Format(time.DateOnly)), "")}
	case past(e.ReviewBy, now):
		return []Fault{e.Fault(fmt.Sprintf("the entry %q was to be reviewed by %s", e.ID, e.ReviewBy.Format(time.DateOnly)),
			"read it again and set a new review_by")}
	}
	return nil
}
