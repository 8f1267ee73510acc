package records

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

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

// Two programs share the limit of a day. A batch beyond it is not stored, and a known question takes no row.
func (at Options) TestDailyRows(t *testing.T) {
	const limit = 10
	stores := []*Store{openAt(t, at), openAt(t, at)}
	for i, step := range []struct {
		batch Batch
		want  error
	}{
		{batchOf("a", 2, 3), nil},
		{batchOf("a", 0, 3), nil}, // known questions
		{Batch{Answers: []Answered{{Key: "a", Q: "a", EntryID: "e", Asked: 1}}}, nil},
		{batchOf("b", 3, 2), ErrDailyRows},
		{batchOf("c", 2, 2), nil},
		{batchOf("d", 0, 1), ErrDailyRows},
		{batchOf("c", 0, 2), nil}, // known, so they count although the limit is reached
		{batchOf("c", 1, 2), ErrDailyRows},
		{Batch{Answers: []Answered{{Key: "b", Q: "b", EntryID: "e", Asked: 1}}}, ErrDailyRows},
	} {
		expect.Error(t, fmt.Sprint("batch ", i), stores[i%2].AddBatch(t.Context(), step.batch, limit), step.want)
	}
	expect.Same(t, "pieces of feedback and questions",
		limit-1, len(feedbackOf(t, stores[0]))+len(questionsOf(t, stores[0])))
}

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
	for _, q := range questionsOf(t, store) {
		kept += q.Q
	}
	for _, a := range answeredOf(t, store, AnsweredFilter{}) {
		answered += a.Q
	}
	expect.Same(t, "kept", []any{"0189", "0189"}, []any{kept, answered})
}

func givesUpLock(err error) bool {
	const lockNotAvailable = "55P03" // https://www.postgresql.org/docs/current/errcodes-appendix.html
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return isBusy(err) || ok && failure.Code == lockNotAvailable
}

// In opposite orders, nothing fails, and nothing is lost.
func (at Options) TestBatchesAtOnce(t *testing.T) {
	const instances, batches, keys = 2, 16, 8
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // longer than a call of the service takes
	defer cancel()
	repeated := func(call func() error) {
		err := call()
		for ctx.Err() == nil && givesUpLock(err) { // a busy machine holds one for long; nothing was stored
			err = call()
		}
		expect.Error(t, "a call", err, nil)
	}
	stores := [instances]*Store{openAt(t, at), openAt(t, at)}
	for _, key := range []string{"a", "b"} {
		expect.OK(t, stores[0].addQuestion(t.Context(), Question{Key: key, LastAt: noon}))
	}
	var wait sync.WaitGroup
	for i, store := range stores {
		wait.Go(func() {
			for range batches {
				var batch Batch
				for n := range keys {
					key := fmt.Sprint(n)
					if i == 0 {
						key = fmt.Sprint(keys - 1 - n)
					}
					batch.Questions = append(batch.Questions, Question{Key: key, Q: key, Unanswered: 1, LastAt: noon})
					batch.Answers = append(batch.Answers,
						Answered{Key: key, Q: key, EntryID: "hours", Match: contract.MatchExact, Asked: 1, LastAt: noon})
					batch.Feedback = append(batch.Feedback, Feedback{Key: key, Q: key, EntryID: "hours", CreatedAt: noon})
				}
				repeated(func() error { return store.AddBatch(ctx, batch, unlimited) })
			}
		})
		wait.Go(func() {
			keys := [instances][]string{{"a", "b"}, {"b", "a"}}[i]
			for range batches {
				repeated(func() error { return expect.ErrorOf(store.ActOnQuestions(ctx, Accept, keys...)) })
			}
		})
	}
	wait.Wait()
	const want = instances * batches
	answers, questions := answeredOf(t, stores[0], AnsweredFilter{}), questionsOf(t, stores[0])
	if len(answers) != keys || len(questions) != keys {
		t.Fatalf("%d answered, %d open, want %d of each", len(answers), len(questions), keys)
	}
	for i, a := range answers {
		expect.Same(t, "counted", []any{want, want, want}, []any{a.Asked, a.Unhelpful, questions[i].Unanswered})
	}
}
