package gaps

import (
	"context"

	"frontdesk/contract"
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
	Recorder *Recorder
	Counter  Counter
}

// Ask answers q from the given content.
func (a Asker) Ask(ctx context.Context, answers Answers, q string) contract.Answer {
	answer := answers.Ask(ctx, q)
	a.Recorder.Keep(ctx, q, answer)
	a.Counter.Asked(answer)
	return answer
}

type unkeptKey struct{}

// WithoutKeeping returns a context whose questions and feedback are answered like all
// others and not kept. It is for requests that check the service.
func WithoutKeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, unkeptKey{}, true)
}

func isUnkept(ctx context.Context) bool { return ctx.Value(unkeptKey{}) != nil }
