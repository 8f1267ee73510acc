package gaps

import (
	"context"

	"frontdesk/contract"
	"frontdesk/internal/records"
)

// Answers answers questions from approved text; faq.Ladder is one.
type Answers interface {
	Ask(ctx context.Context, q string) contract.Answer
}

// Counter counts answers by how they were found.
type Counter interface{ Asked(answer contract.Answer) }

// Asker answers a question, keeps it when no entry answered it, and counts the
// answer. Its caller never waits for the last two.
type Asker struct {
	Keeper  *Keeper // nil keeps nothing
	Counter Counter
}

// Ask answers q from the given content.
func (a Asker) Ask(ctx context.Context, answers Answers, q string) contract.Answer {
	answer := answers.Ask(ctx, q)
	a.Keeper.Answered(q, answer)
	a.Counter.Asked(answer)
	return answer
}

// Feedback stores what callers say of answers. The question in it is treated like
// every question that is kept: masked, or not kept at all.
type Feedback struct{ Keeper *Keeper }

// AddFeedback stores feedback, and keeps the question of an answer that did not help.
// The error is the database's; feedback for which there is no room is dropped without
// one.
func (f Feedback) AddFeedback(ctx context.Context, feedback records.Feedback) error {
	if !feedback.Helpful {
		f.Keeper.Unhelpful(feedback.Q, feedback.EntryID)
	}
	if feedback.Q = Mask(feedback.Q); !f.Keeper.config.Questions {
		feedback.Q = ""
	}
	return f.Keeper.keepFeedback(ctx, feedback)
}
