package gaps

import (
	"context"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// Answers answers questions from approved text; faq.Cascade is one.
type Answers interface {
	Ask(ctx context.Context, q string) contract.Answer
}

// Counter counts answers by how they were found.
type Counter interface{ Asked(answer contract.Answer) }

// Asker answers a question, keeps it as its Recorder is configured, and counts the answer. Its
// caller never waits for the last two.
type Asker struct {
	Recorder *Recorder // nil keeps nothing
	Counter  Counter
}

// Ask answers q from the given content.
func (a Asker) Ask(ctx context.Context, answers Answers, q string) contract.Answer {
	answer := answers.Ask(ctx, q)
	a.Recorder.Keep(ctx, q, answer)
	a.Counter.Asked(answer)
	return answer
}

// Feedback stores what callers think of answers. The question in it is treated like every
// question that is kept: masked, or not kept at all.
type Feedback struct{ Recorder *Recorder }

// AddFeedback stores feedback, and marks the answer to its question, once a day for each
// client. The error is the database's; feedback for which there is no room is dropped
// without one.
func (f Feedback) AddFeedback(ctx context.Context, feedback records.Feedback) error {
	if isUnkept(ctx) {
		return nil
	}
	feedback.Q = Mask(feedback.Q)
	if key := content.QuestionKey(feedback.Q); f.Recorder.isFirstMark(limits.ClientFrom(ctx).String(), key) {
		feedback.Key = key
	}
	if !f.Recorder.config.Questions {
		feedback.Q = ""
	}
	return f.Recorder.keepFeedback(ctx, feedback)
}

type unkeptKey struct{}

// WithoutKeeping returns a context whose questions and feedback are answered like all
// others and not kept. It is for requests that check the service.
func WithoutKeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, unkeptKey{}, true)
}

func isUnkept(ctx context.Context) bool { return ctx.Value(unkeptKey{}) != nil }
