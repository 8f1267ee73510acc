package faq

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

// factCount counts questions to desks whose FAQ lacks hours, address and prices, and their answers.
type factCount struct{ asked, answered, near, mixedUp, others, misled int }

// ask asks a desk of testdata at the default precision. It logs each question without the right answer.
func (n *factCount) ask(t testing.TB, name string) {
	t.Helper()
	dir := filepath.Join("..", "testdata", name)
	desk := expect.Value(content.Load(os.DirFS(dir)))(t)
	var questions struct {
		Answered   []struct{ Q, ID string }
		Unanswered []string
	}
	expect.OK(t, yaml.Unmarshal(expect.Value(os.ReadFile(filepath.Join(dir, "questions.yaml")))(t), &questions))
	answerer := withMeaning(t, desk.FAQ)
	for _, q := range questions.Answered {
		got, entry := answerer.Ask(t.Context(), q.Q), desk.FAQ.Entry(q.ID)
		if entry == nil {
			t.Fatalf("%q: there is no entry %q", q.Q, q.ID)
		}
		isRight := got.EntryID != nil && *got.EntryID == q.ID
		if got.EntryID != nil && !isRight && desk.FAQ.Entry(*got.EntryID).IsFact {
			n.mixedUp++
			t.Logf("%q: answered by %s, want %s", q.Q, *got.EntryID, q.ID)
		}
		if !entry.IsFact {
			continue
		}
		n.asked++
		isNear := isRight || slices.ContainsFunc(got.Candidates, func(c contract.Candidate) bool { return c.EntryID == q.ID })
		if isRight {
			n.answered++
		} else {
			t.Logf("%q: not answered; a candidate: %v", q.Q, isNear)
		}
		if isNear {
			n.near++
		}
	}
	for _, q := range questions.Unanswered {
		n.others++
		if got := answerer.Ask(t.Context(), q); got.EntryID != nil && desk.FAQ.Entry(*got.EntryID).IsFact {
			n.misled++
			t.Logf("%q: answered by %s", q, *got.EntryID)
		}
	}
	t.Logf("%+v", *n)
}

func TestFactOfADesk(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads two desks")
	t.Parallel()
	for _, tt := range []struct {
		name string
		desk fs.FS
		q    string
		want string
	}{
		{"an i is no Polish and", os.DirFS("../testdata/facts/en"), "how can i call you", "phone"},
		{"a price in two languages is one", content.SampleNamed("practice"), "bleaching", "price-bleaching"},
	} {
		got := withMeaning(t, expect.Value(content.Load(tt.desk))(t).FAQ).Ask(t.Context(), tt.q)
		expect.Same(t, tt.name, new(tt.want), got.EntryID)
	}
}

// The fit has seen these desks.
func TestFactsAnswer(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads 800 questions")
	t.Parallel()
	for _, language := range i18n.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			var n factCount
			n.ask(t, "facts/"+language)
			if n.asked < 40 || n.answered*4 < n.asked*3 || n.near*100 < n.asked*95 || n.mixedUp+n.misled > 0 {
				t.Errorf("%+v", n)
			}
		})
	}
}

// quiet keeps questions out of the log: who writes wordings must not read those that judge them.
type quiet struct{ testing.TB }

func (quiet) Logf(string, ...any) {}

// The fit has not seen these desks. Their questions were written without the wordings at hand; a third of the
// unanswered ones mention times, places or money.
func TestFactsOfOtherDesks(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads 640 questions")
	t.Parallel()
	var all factCount
	for _, language := range i18n.Languages() {
		all.ask(quiet{t}, "facts-kept/"+language)
	}
	t.Logf("%+v", all)
	if all.answered*4 < all.asked*3 || all.near*100 < all.asked*95 || all.mixedUp*100 > all.asked ||
		all.misled*20 > all.others {
		t.Errorf("%+v", all)
	}
}
