package questions

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

func keep(t *testing.T, config Config, work func(*Recorder)) (stored *shelf) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		stored = &shelf{}
		recorder, _, stop := run(t, stored, config)
		work(recorder)
		stop()
	})
	return stored
}

func TestKeep(t *testing.T) {
	t.Parallel()
	hours := contract.Answer{Answer: "At nine.", EntryID: new("hours"), Match: contract.MatchExact}
	none, both := contract.Answer{Answer: "Write to us."}, Config{Questions: true, Answered: true}
	ctx := t.Context()
	check := WithoutKeeping(ctx)
	for _, tt := range []struct {
		name              string
		answer            contract.Answer
		config            Config
		ctx               context.Context
		question, answers int // that are kept
	}{
		{"an entry answers", hours, Config{Questions: true}, ctx, 0, 0},
		{"an entry answers, and that is kept", hours, both, ctx, 0, 1},
		{"no entry answers", none, both, ctx, 1, 0},
		{"no entry answers, and that is not kept", none, Config{Answered: true}, ctx, 0, 0},
		{"a check", none, both, check, 0, 0},
		{"an answered check", hours, both, check, 0, 0},
	} {
		stored := keep(t, tt.config, func(recorder *Recorder) { recorder.Keep(tt.ctx, "When do you open?", tt.answer) })
		expect.Same(t, tt.name, []any{tt.question, tt.answers}, []any{len(stored.asked), len(stored.answers)})
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	const q, masked, key = "Did ada@example.com order?", "Did [mail] order?", "did mail order"
	ctx := limits.WithClient(context.Background(), limits.ClientOf(netip.MustParseAddr("192.0.2.7")))
	for _, tt := range []struct {
		name  string
		keeps bool
		ctx   context.Context
		want  []records.Feedback
	}{
		{"questions are kept", true, ctx, []records.Feedback{{Q: masked, Key: key}, {Q: masked}}},
		{"questions are not kept", false, ctx, []records.Feedback{{Key: key}, {}}},
		{"a check of the service", true, WithoutKeeping(ctx), nil},
	} {
		stored := keep(t, Config{Questions: tt.keeps}, func(recorder *Recorder) {
			for range 2 { // the second mark of the day does not count
				expect.OK(t, recorder.AddFeedback(tt.ctx, records.Feedback{Q: q}))
			}
		})
		expect.Same(t, tt.name, tt.want, stored.feedback)
	}
}
