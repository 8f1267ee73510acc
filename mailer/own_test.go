package mailer

import (
	"context"
	"errors"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

type senderFunc func(ctx context.Context) error

func (f senderFunc) Send(ctx context.Context, _ Message) error { return f(ctx) }

// Whatever another sender does, Send returns in time, with an outcome that is known.
func TestOwn(t *testing.T) {
	t.Parallel()
	cause := errors.New("odd")
	hangs := func(ctx context.Context) error {
		<-ctx.Done()
		return failed("queue", ctx.Err())
	}
	for name, tt := range map[string]struct {
		send           senderFunc
		outcome        Outcome
		stage, message string
		took           time.Duration
	}{
		"panics":         {func(context.Context) error { panic("boom") }, Unknown, stageOwn, "panic: boom\ngoroutine ", 0},
		"a nil *Error":   {func(context.Context) error { return (*Error)(nil) }, Unknown, stageOwn, "nil *mailer.Error", 0},
		"no outcome":     {func(context.Context) error { return &Error{Stage: "queue", Err: cause} }, Unknown, "queue", "odd", 0},
		"no error in it": {func(context.Context) error { return &Error{Outcome: "lost"} }, Unknown, "", "mail unknown", 0},
		"fails":          {func(context.Context) error { return failed("queue", cause) }, Failed, "queue", "odd", 0},
		"ends with ctx":  {hangs, Failed, "queue", "deadline exceeded", SendTimeout},
		"ignores ctx": {func(context.Context) error { time.Sleep(time.Hour); return nil }, Unknown, stageOwn, "did not return",
			SendTimeout + ownGrace},
	} {
		expect.Bubble(t, name, func(t *testing.T) {
			began := time.Now()
			failure, ok := errors.AsType[*Error](Own(tt.send).Send(t.Context(), sample()))
			if !ok {
				t.Fatal("no *Error")
			}
			expect.Same(t, "outcome, stage and time", []any{tt.outcome, tt.stage, tt.took},
				[]any{failure.Outcome, failure.Stage, time.Since(began)})
			expect.Holds(t, "the log", failure.Error(), tt.message)
			expect.Lacks(t, "what the owner reads", failure.Detail(), "goroutine ")
			time.Sleep(time.Hour)
		})
	}
	expect.OK(t, Own(senderFunc(func(context.Context) error { return nil })).Send(t.Context(), sample()))
	plain := senderFunc(func(context.Context) error { return cause })
	expect.Error(t, "another error", Own(plain).Send(t.Context(), sample()), cause)
}
