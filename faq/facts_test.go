package faq

import (
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

// TestFactsAnswer asks a desk in each language whose FAQ lacks hours, address and prices, at the default precision.
func TestFactsAnswer(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads 800 questions")
	t.Parallel()
	for _, language := range i18n.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("..", "testdata", "facts", language)
			desk := expect.Value(content.Load(os.DirFS(dir)))(t)
			var questions struct {
				Answered   []struct{ Q, ID string }
				Unanswered []string
			}
			expect.OK(t, yaml.Unmarshal(expect.Value(os.ReadFile(filepath.Join(dir, "questions.yaml")))(t), &questions))
			answerer := withMeaning(t, desk.FAQ)
			var asked, answered, near int
			for _, q := range questions.Answered {
				got, entry := answerer.Ask(t.Context(), q.Q), desk.FAQ.Entry(q.ID)
				if entry == nil {
					t.Fatalf("%q: there is no entry %q", q.Q, q.ID)
				}
				isRight := got.EntryID != nil && *got.EntryID == q.ID
				if got.EntryID != nil && !isRight && desk.FAQ.Entry(*got.EntryID).IsFact {
					t.Errorf("%q: answered by %s, want %s", q.Q, *got.EntryID, q.ID)
				}
				if !entry.IsFact {
					continue
				}
				asked++
				isNear := isRight || slices.ContainsFunc(got.Candidates, func(c contract.Candidate) bool { return c.EntryID == q.ID })
				switch {
				case isRight:
					answered++
					near++
				case isNear:
					near++
					t.Logf("%q: only a candidate", q.Q)
				default:
					t.Logf("%q: not found", q.Q)
				}
			}
			for _, q := range questions.Unanswered {
				if got := answerer.Ask(t.Context(), q); got.EntryID != nil && desk.FAQ.Entry(*got.EntryID).IsFact {
					t.Errorf("%q: answered by %s", q, *got.EntryID)
				}
			}
			t.Logf("of %d questions %d are answered, %d are among the candidates", asked, answered, near)
			if asked < 40 || answered*4 < asked*3 || near*100 < asked*95 {
				t.Errorf("of %d questions %d are answered, %d are among the candidates", asked, answered, near)
			}
		})
	}
}
