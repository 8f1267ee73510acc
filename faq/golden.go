package faq

import (
	"context"
	"fmt"
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// CheckGolden asks the owner's golden questions and returns an error for each that is not answered as the owner wants.
// Where only words are compared, the selector is seldom sure, so it is enough if the entry is a candidate. A question
// whose entry has expired is skipped, even if a fact answers in its place: the passing of a day must not keep the
// service from starting. Once ctx ends, the errors mean nothing.
func (b *Answerer) CheckGolden(ctx context.Context, golden content.Golden) content.Diagnostics {
	var faults content.Diagnostics
	now := time.Now()
	for _, g := range slices.Concat(golden.Answered, golden.Unanswered) {
		if ctx.Err() != nil {
			break
		}
		if slices.ContainsFunc(b.entries, func(e content.Entry) bool { return e.ID == g.ID && !e.Live(now) }) {
			continue
		}
		got, choice := b.ask(ctx, g.Q, b.live(), 0)
		isAnswered := got.EntryID != nil && *got.EntryID == g.ID
		isOffered := got.EntryID == nil && !choice.Encoded &&
			slices.ContainsFunc(got.Candidates, func(c contract.Candidate) bool { return c.EntryID == g.ID })
		switch {
		case g.ID == "" && got.EntryID != nil:
			faults = append(faults, g.Fault(
				fmt.Sprintf("%q must not be answered, but %s", g.Q, answeredBy(got)),
				fmt.Sprintf("make the wordings of %q in faq.yaml less like it", *got.EntryID), "content.golden.unanswered", g.Q))
		case g.ID != "" && !isAnswered && !isOffered:
			faults = append(faults, g.Fault(
				fmt.Sprintf("%q must be answered by %q, but %s", g.Q, g.ID, answeredBy(got)),
				fmt.Sprintf("add this wording to the alternates of %q in faq.yaml", g.ID), "content.golden.answered", g.Q))
		}
	}
	return faults
}

func answeredBy(a contract.Answer) string {
	if a.EntryID == nil {
		return "the fallback answers"
	}
	return fmt.Sprintf("%q answers", *a.EntryID)
}
