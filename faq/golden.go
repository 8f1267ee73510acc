package faq

import (
	"context"
	"fmt"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// CheckGolden asks the owner's golden questions and gives those that are answered
// otherwise than the owner wants. A question whose entry has expired is passed
// over: a day that goes by must not keep the service from starting.
func (b *Book) CheckGolden(golden content.Golden) content.Faults {
	var faults content.Faults
	now := time.Now()
	for _, g := range golden.Answered {
		if i, known := b.ids[g.ID]; known && !b.entries[i].Live(now) {
			continue
		}
		if got := b.Ask(context.Background(), g.Q); got.EntryID == nil || *got.EntryID != g.ID {
			faults = append(faults, g.Fault(
				fmt.Sprintf("%q must be answered by %q, but %s", g.Q, g.ID, answeredBy(got)),
				fmt.Sprintf("add this wording to the alternates of %q in faq.yaml", g.ID)))
		}
	}
	for _, g := range golden.Unanswered {
		if got := b.Ask(context.Background(), g.Q); got.EntryID != nil {
			faults = append(faults, g.Fault(
				fmt.Sprintf("%q must not be answered, but %s", g.Q, answeredBy(got)),
				fmt.Sprintf("make the wordings of %q in faq.yaml less like it", *got.EntryID)))
		}
	}
	return faults
}

// answeredBy says in words what an answer is.
func answeredBy(a contract.Answer) string {
	if a.EntryID == nil {
		return "the fallback answers"
	}
	return fmt.Sprintf("%q answers", *a.EntryID)
}
