package records

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuestions(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	start := time.Date(2026, 11, 21, 9, 0, 0, 123000, time.UTC)
	add := func(asked Asked) {
		t.Helper()
		if err := store.AddQuestion(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
	}
	want := func(want ...Question) {
		t.Helper()
		got, err := store.Questions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]Question{}, want...), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want()

	add(Asked{Key: "do you bake", Q: "Do you bake?", At: start})
	add(Asked{Key: "do you sing", Q: "Do you sing?", Unhelpful: true, EntryID: "songs", At: start.Add(time.Minute)})
	add(Asked{Key: "do you bake", Q: "do you bake", At: start.Add(time.Hour)})
	add(Asked{Key: "do you bake", Q: "DO YOU BAKE", Unhelpful: true, EntryID: "bread", At: start.Add(2 * time.Hour)})
	add(Asked{Key: "do you bake", Q: "Do you bake", At: start.Add(3 * time.Hour)})
	bake := Question{Number: 1, Q: "Do you bake?", Unanswered: 3, Unhelpful: 1, EntryID: "bread", FirstAt: start, LastAt: start.Add(3 * time.Hour)}
	sing := Question{Number: 2, Q: "Do you sing?", Unhelpful: 1, EntryID: "songs", FirstAt: start.Add(time.Minute), LastAt: start.Add(time.Minute)}
	want(bake, sing)

	if err := store.AcceptQuestions(t.Context(), 2, 99); err != nil {
		t.Fatal(err)
	}
	want(bake)
	add(Asked{Key: "do you dance", Q: "Do you dance?", At: start})
	dance := Question{Number: 3, Q: "Do you dance?", Unanswered: 1, FirstAt: start, LastAt: start}
	want(bake, dance) // the number of an accepted question is not given out again

	add(Asked{Key: "do you sing", Q: "do you sing", At: start.Add(time.Hour)})
	sing.Unanswered, sing.Unhelpful, sing.LastAt = 1, 0, start.Add(time.Hour)
	want(bake, sing, dance) // it is asked in vain again, and counted from then
}
