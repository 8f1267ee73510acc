package records

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func answeredOf(t *testing.T, store *Store, filter AnsweredFilter) []Answered {
	t.Helper()
	return expect.Value(store.AnsweredQuestions(t.Context(), filter))(t)
}

func addAll(t *testing.T, store *Store, batch Batch) {
	t.Helper()
	expect.OK(t, store.AddBatch(t.Context(), batch, unlimited))
}

func (at Options) TestAnswered(t *testing.T) {
	store := openAt(t, at)
	start := sample(0).CreatedAt
	expect.Same(t, "of an empty store", []Answered{}, answeredOf(t, store, AnsweredFilter{}))
	first := Answered{Key: "when", Q: "When?", EntryID: "hours", Match: contract.MatchSelector, Confidence: 0.97,
		Asked: 1, LastAt: start}
	much := Answered{Key: "much", Q: "How much?", EntryID: "price", Match: contract.MatchModel, Asked: 2, LastAt: start}
	when := first
	when.Q, when.Match, when.Confidence, when.Asked, when.LastAt = "when", contract.MatchExact, 1, 3, start.Add(time.Hour)
	holidays := when
	holidays.Q, holidays.EntryID, holidays.Asked, holidays.LastAt = "When?", "holidays", 1, start.Add(2*time.Hour)
	addAll(t, store, Batch{Answers: []Answered{first, much}})
	addAll(t, store, Batch{Answers: []Answered{when, holidays}})
	when.Q, when.Asked = first.Q, 4
	much.Number, when.Number, holidays.Number = 1, 2, 3
	much.FirstAt, when.FirstAt, holidays.FirstAt = start, start, holidays.LastAt
	for _, test := range []struct {
		filter AnsweredFilter
		want   []Answered
		all    int
	}{
		{AnsweredFilter{}, []Answered{when, much, holidays}, 3},
		{AnsweredFilter{EntryID: "price"}, []Answered{much}, 1},
		{AnsweredFilter{Text: "WHE"}, []Answered{when, holidays}, 2},
		{AnsweredFilter{Page: Page{Limit: 1, Offset: 1}}, []Answered{much}, 3},
		{AnsweredFilter{Text: "w_en"}, []Answered{}, 0}, // no wildcard
		{AnsweredFilter{Wrong: true}, []Answered{}, 0},
	} {
		what := fmt.Sprintf("%+v", test.filter)
		expect.Same(t, what, test.want, answeredOf(t, store, test.filter))
		expect.Same(t, what+": all", test.all, expect.Value(store.CountAnswered(t.Context(), test.filter))(t))
	}
	expect.Same(t, "EntryUses", []EntryUse{
		{EntryID: "hours", Questions: 1, Asked: 4, LastAt: start.Add(time.Hour)},
		{EntryID: "price", Questions: 1, Asked: 2, LastAt: start},
		{EntryID: "holidays", Questions: 1, Asked: 1, LastAt: start.Add(2 * time.Hour)},
	}, expect.Value(store.EntryUses(t.Context()))(t))
	expect.Same(t, "AnsweredQuestion", much, expect.Value(store.AnsweredQuestion(t.Context(), 1))(t))
	expect.Same(t, "deleted", 1, expect.Value(store.ActOnAnswered(t.Context(), Delete, 1, 77))(t))
	expect.Error(t, "a deleted question", expect.ErrorOf(store.AnsweredQuestion(t.Context(), 1)), ErrNotFound)
	added := []json.RawMessage{much.JSON(), holidays.JSON()}
	expect.OK(t, store.SwapAnswered(t.Context(), []json.RawMessage{when.JSON()}, added))
	much.Number, holidays.Asked = 4, 2
	expect.Same(t, "swapped", []Answered{holidays, much}, answeredOf(t, store, AnsweredFilter{}))
	expect.Says(t, "accepted", expect.ErrorOf(store.ActOnAnswered(t.Context(), Accept, 2)), "no such action")
	keep := Retention{Records: 3 * time.Hour, Answered: time.Hour}
	expect.Same(t, "Prune", 1, expect.Value(store.Prune(t.Context(), keep, holidays.LastAt.Add(time.Hour)))(t))
}

// A mark belongs to the answer of its question, or else to a question that was not answered well.
func (at Options) TestMarks(t *testing.T) {
	store := openAt(t, at)
	now := sample(0).CreatedAt
	want := Answered{Key: "when", Q: "When?", EntryID: "hours", Match: contract.MatchExact, Asked: 1, LastAt: now}
	mark := func(key, entry string, helpful bool) Feedback {
		return Feedback{Key: key, Q: key + "?", EntryID: entry, Helpful: helpful, CreatedAt: now}
	}
	addAll(t, store, Batch{Answers: []Answered{want}, Feedback: []Feedback{
		mark("when", "", false), mark("when", "hours", true),
	}})
	addAll(t, store, Batch{Feedback: []Feedback{
		mark("when", "", false),      // the stored answer
		mark("when", "price", false), // no such answer: a question
		mark("why", "", false),       // likewise
		mark("why", "", true),        // nothing to correct
		{EntryID: "hours", CreatedAt: now},
	}})
	want.Number, want.Helpful, want.Unhelpful, want.FirstAt = 1, 1, 2, now
	expect.Same(t, "answered", []Answered{want}, answeredOf(t, store, AnsweredFilter{Wrong: true}))
	expect.Same(t, "questions", []Question{
		{Number: 1, Key: "when", Q: "when?", Unhelpful: 1, EntryID: "price", FirstAt: now, LastAt: now},
		{Number: 2, Key: "why", Q: "why?", Unhelpful: 1, FirstAt: now, LastAt: now},
	}, questionsOf(t, store))
	expect.Same(t, "pieces of feedback are stored", 7, len(feedbackOf(t, store)))
	expect.Value(store.ActOnAnswered(t.Context(), Dismiss, 1))(t)
	expect.Same(t, "listed as wrong", 0, len(answeredOf(t, store, AnsweredFilter{Wrong: true})))
	expect.Same(t, "dismissed questions", 1, len(answeredOf(t, store, AnsweredFilter{Dismissed: true})))
	expect.Value(store.ActOnAnswered(t.Context(), Reopen, 1, 99))(t)
	expect.Same(t, "restored", []Answered{want}, answeredOf(t, store, AnsweredFilter{Wrong: true}))
}
