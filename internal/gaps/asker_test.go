package gaps

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/records"
)

// answered answers every question alike.
type answered contract.Answer

func (a answered) Ask(context.Context, string) contract.Answer { return contract.Answer(a) }

// counted collects the answers that were counted.
type counted struct{ answers []contract.Answer }

func (c *counted) Asked(answer contract.Answer) { c.answers = append(c.answers, answer) }

// stored collects what reaches the database.
type stored struct {
	asked    []records.Asked
	feedback []records.Feedback
}

func (s *stored) AddBatch(_ context.Context, batch records.Batch, _ int) (int, error) {
	s.asked = append(s.asked, batch.Questions...)
	s.feedback = append(s.feedback, batch.Feedback...)
	return batch.Len(), nil
}

// keep runs a keeper on a store for as long as work takes.
func keep(t *testing.T, store *stored, questions bool, work func(*Keeper)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		keeper := NewKeeper(Config{Store: store, Questions: questions, DailyRows: 100, Log: zerolog.Nop()})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); keeper.Run(ctx) }()
		work(keeper)
		stop()
		<-done
	})
}

func TestAsker(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer contract.Answer
		kept   int
	}{
		{"an entry answers", contract.Answer{Answer: "At nine.", EntryID: new("hours")}, 0},
		{"no entry answers", contract.Answer{Answer: "Write to us."}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store, count := &stored{}, &counted{}
			keep(t, store, true, func(keeper *Keeper) {
				got := Asker{Keeper: keeper, Counter: count}.Ask(t.Context(), answered(tt.answer), "When do you open?")
				if diff := cmp.Diff(tt.answer, got); diff != "" {
					t.Errorf("the answer differs:\n%s", diff)
				}
			})
			if len(store.asked) != tt.kept {
				t.Errorf("%d questions are kept, want %d", len(store.asked), tt.kept)
			}
			if len(count.answers) != 1 {
				t.Errorf("%d answers are counted, want 1", len(count.answers))
			}
		})
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	const q, masked = "Did ada@example.com order?", "Did [mail] order?"
	for _, tt := range []struct {
		name    string
		keeps   bool
		helpful bool
		q       string // of the stored feedback
		kept    int    // questions
	}{
		{"helpful, questions are kept", true, true, masked, 0},
		{"unhelpful, questions are kept", true, false, masked, 1},
		{"helpful, questions are not kept", false, true, "", 0},
		{"unhelpful, questions are not kept", false, false, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store := &stored{}
			keep(t, store, tt.keeps, func(keeper *Keeper) {
				if err := (Feedback{keeper}).AddFeedback(context.Background(), records.Feedback{Helpful: tt.helpful, Q: q}); err != nil {
					t.Error(err)
				}
			})
			if len(store.feedback) != 1 || store.feedback[0].Q != tt.q {
				t.Errorf("stored %+v, want the question %q", store.feedback, tt.q)
			}
			if len(store.asked) != tt.kept {
				t.Errorf("%d questions are kept, want %d", len(store.asked), tt.kept)
			}
		})
	}
}
