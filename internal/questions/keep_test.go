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
		recorder, _, stop := runWith(t, stored, config)
		work(recorder)
		stop()
	})
	return stored
}

func TestKeep(t *testing.T) {
	t.Parallel()
	hours := contract.Answer{Answer: "At nine.", EntryID: new("hours"), Match: contract.MatchExact}
	none := contract.Answer{Answer: "Write to us."}
	for _, tt := range []struct {
		name              string
		answer            contract.Answer
		config            Config
		ctx               func(context.Context) context.Context
		question, answers int // that are kept
	}{
		{"an entry answers", hours, Config{Questions: true}, nil, 0, 0},
		{"an entry answers, and that is kept", hours, Config{Questions: true, Answered: true}, nil, 0, 1},
		{"no entry answers", none, Config{Questions: true, Answered: true}, nil, 1, 0},
		{"no entry answers, and that is not kept", none, Config{Answered: true}, nil, 0, 0},
		{"a check of the service", none, Config{Questions: true, Answered: true}, WithoutKeeping, 0, 0},
		{"an answered check of the service", hours, Config{Questions: true, Answered: true}, WithoutKeeping, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if tt.ctx != nil {
				ctx = tt.ctx(ctx)
			}
			stored := keep(t, tt.config, func(recorder *Recorder) { recorder.Keep(ctx, "When do you open?", tt.answer) })
			expect.Same(t, "kept", []any{tt.question, tt.answers}, []any{len(stored.asked), len(stored.answers)})
		})
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	const q, masked, key = "Did ada@example.com order?", "Did [mail] order?", "did mail order"
	client := limits.ClientOf(netip.MustParseAddr("192.0.2.7"))
	for _, tt := range []struct {
		name  string
		keeps bool
		ctx   func(context.Context) context.Context
		want  []records.Feedback
	}{
		{"questions are kept", true, nil, []records.Feedback{{Q: masked, Key: key}, {Q: masked}}},
		{"questions are not kept", false, nil, []records.Feedback{{Key: key}, {}}},
		{"a check of the service", true, WithoutKeeping, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx := limits.WithClient(context.Background(), client)
			if tt.ctx != nil {
				ctx = tt.ctx(ctx)
			}
			stored := keep(t, Config{Questions: tt.keeps}, func(recorder *Recorder) {
				for range 2 { // the second mark of the day does not count
					expect.OK(t, recorder.AddFeedback(ctx, records.Feedback{Q: q}))
				}
			})
			expect.Same(t, "feedback", tt.want, stored.feedback)
		})
	}
}
