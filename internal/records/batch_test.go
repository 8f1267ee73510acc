package records

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// batchOf is so many pieces of feedback and new questions.
func batchOf(name string, feedback, questions int) Batch {
	var batch Batch
	for range feedback {
		batch.Feedback = append(batch.Feedback, Feedback{Q: "x", CreatedAt: time.UnixMicro(1)})
	}
	for n := range questions {
		q := fmt.Sprint(name, " ", n)
		batch.Questions = append(batch.Questions, Question{Key: q, Q: q, Unanswered: 1, LastAt: time.UnixMicro(1)})
	}
	return batch
}

// TestDailyRows: two programs share the limit of a day, and a batch that reaches it is
// cut. A question that is there already takes no row.
func (at Options) TestDailyRows(t *testing.T) {
	const limit = 10
	stores := []*Store{openAt(t, at), openAt(t, at)}
	for i, step := range []struct {
		batch  Batch
		stored int
		over   bool
	}{
		{batchOf("a", 2, 3), 5, false},
		{batchOf("a", 0, 3), 3, false}, // known questions
		{Batch{Answers: []Answered{{Key: "a", Q: "a", EntryID: "e", Asked: 1}}}, 1, false},
		{batchOf("b", 4, 4), 4, true},
		{batchOf("c", 1, 1), 0, true},
	} {
		stored, err := stores[i%2].AddBatch(t.Context(), step.batch, limit)
		if stored != step.stored || errors.Is(err, ErrDailyRows) != step.over || (err != nil && !step.over) {
			t.Errorf("batch %d: %d stored, %v; want %d, over the limit %v", i, stored, err, step.stored, step.over)
		}
	}
	questions, err := stores[0].Questions(t.Context())
	if feedback := feedbackOf(t, stores[0]); err != nil || len(feedback)+len(questions) != limit-1 {
		t.Errorf("%d pieces of feedback and %d questions are stored, %v; want %d together", len(feedback), len(questions), err, limit-1)
	}
}

// TestTrim keeps of both tables what was asked most often, then what was asked last.
func (at Options) TestTrim(t *testing.T) {
	store := openAt(t, at)
	for n := range 10 {
		often := 1
		if n < 2 {
			often = 5
		}
		q, at := fmt.Sprint(n), time.UnixMicro(int64(n))
		addAll(t, store, Batch{
			Questions: []Question{{Key: q, Q: q, Unanswered: often, LastAt: at}},
			Answers:   []Answered{{Key: q, Q: q, EntryID: "e", Asked: often, LastAt: at}},
		})
	}
	expect.OK(t, store.trim(t.Context(), 4))
	var kept, answered string
	questions := expect.Value(store.Questions(t.Context()))(t)
	for _, q := range questions {
		kept += q.Q
	}
	for _, a := range answeredOf(t, store, AnsweredFilter{}) {
		answered += a.Q
	}
	if kept != "0189" || answered != "0189" {
		t.Errorf("kept %q and %q, want the two that were asked often and the last two", kept, answered)
	}
}

// TestBatchError: the error after a batch is stored names its purpose once.
func TestBatchError(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	expect.OK(t, expect.ErrorOf(store.db.Exec(`CREATE TRIGGER full BEFORE INSERT ON day_totals BEGIN SELECT RAISE(ABORT, 'full'); END`)))
	err := store.addFeedback(t.Context(), Feedback{CreatedAt: noon})
	if err == nil || !strings.HasPrefix(err.Error(), "records: count rows: ") || strings.Count(err.Error(), "records:") != 1 {
		t.Errorf("error = %v, want one that names the package once", err)
	}
}
