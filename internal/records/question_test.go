package records

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/internal/expect"
)

func (at Options) TestQuestions(t *testing.T) {
	store := openAt(t, at)
	start := sample(0).CreatedAt
	add := func(key, q string, unhelpful int, entry string, after time.Duration) {
		t.Helper()
		asked := Question{Key: key, Q: q, Unhelpful: unhelpful, EntryID: entry, LastAt: start.Add(after)}
		expect.OK(t, store.addQuestion(t.Context(), asked))
	}
	want := func(want ...Question) {
		t.Helper()
		expect.Same(t, "questions", append([]Question{}, want...), questionsOf(t, store))
	}
	want()

	add("bake", "Do you bake?", 0, "", 0)
	add("sing", "Do you sing?", 1, "songs", time.Minute)
	add("sing", "Do you sing", 0, "", 2*time.Minute)
	add("bake", "do you bake", 0, "", time.Hour)
	add("bake", "DO YOU BAKE", 1, "bread", 2*time.Hour)
	add("bake", "Do you bake", 0, "", 3*time.Hour)
	bake := Question{Number: 1, Key: "bake", Q: "Do you bake?", Unanswered: 3, Unhelpful: 1, EntryID: "bread",
		FirstAt: start, LastAt: start.Add(3 * time.Hour)}
	sing := Question{Number: 2, Key: "sing", Q: "Do you sing?", Unanswered: 1, Unhelpful: 1, EntryID: "songs",
		FirstAt: start.Add(time.Minute), LastAt: start.Add(2 * time.Minute)}
	want(bake, sing)

	expect.Value(store.ActOnQuestions(t.Context(), Accept, "sing", "fly"))(t)
	want(bake)
	add("dance", "Do you dance?", 0, "", 0)
	dance := Question{Number: 3, Key: "dance", Q: "Do you dance?", Unanswered: 1, FirstAt: start, LastAt: start}
	want(bake, dance) // the number of an accepted question is not given out again

	add("sing", "do you sing", 0, "", time.Hour)
	sing.Unanswered, sing.Unhelpful, sing.LastAt = 1, 0, start.Add(time.Hour)
	want(bake, sing, dance) // it is asked in vain again, and counted from then
}

func (at Options) TestDismissAndDelete(t *testing.T) {
	store := openAt(t, at)
	for _, q := range []string{"a", "b", "c"} {
		expect.OK(t, store.addQuestion(t.Context(), Question{Key: q, Q: q, LastAt: time.UnixMicro(1)}))
	}
	expect.Value(store.ActOnQuestions(t.Context(), Dismiss, "a", "x"))(t)
	expect.Same(t, "deleted", 1, expect.Value(store.ActOnQuestions(t.Context(), Delete, "b", "x"))(t))
	for _, q := range []string{"a", "b"} { // asked again
		expect.OK(t, store.addQuestion(t.Context(), Question{Key: q, Q: q, LastAt: time.UnixMicro(2)}))
	}
	dismissed := expect.Value(store.DismissedQuestions(t.Context()))(t)
	if len(dismissed) != 1 || dismissed[0].Q != "a" || dismissed[0].Unanswered != 2 {
		t.Errorf("dismissed are %+v", dismissed)
	}
	expect.Value(store.ActOnQuestions(t.Context(), Reopen, "a", "x"))(t)
	expect.Same(t, "dismissed after that", 0, len(expect.Value(store.DismissedQuestions(t.Context()))(t)))
	expect.Same(t, "left",
		[]Question{{Q: "a"}, {Q: "c"}, {Q: "b"}}, questionsOf(t, store),
		cmpopts.IgnoreFields(Question{}, "Number", "Key", "Unanswered", "FirstAt", "LastAt"))
}
