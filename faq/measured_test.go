package faq

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/content"
)

// TestMeasured holds the selector to figures on the test parts of public data sets.
// The model was fitted to their validation parts, but these figures were in view
// when its form was chosen: they guard against a step back and are no estimate for
// an FAQ that was never seen. It makes usual FAQs of the entries of a data set, asks the questions
// of the FAQ and as many strangers as make 40 of 100, half of them questions of the
// entries left out, half of another set, and counts.
func TestMeasured(t *testing.T) {
	t.Parallel()
	tests := []struct {
		set, strangers string
		floor          figures
	}{
		{"stackfaq", "hwu64", figures{precision: 0.97, coverage: 0.70, refused: 0.97}},
		{"clinc150", "stackfaq", figures{precision: 0.94, coverage: 0.40, refused: 0.96}},
		// The intents of a voice assistant lie closer together than an FAQ's entries.
		{"hwu64", "stackfaq", figures{precision: 0.85, coverage: 0.18, refused: 0.95}},
	}
	for _, test := range tests {
		t.Run(test.set, func(t *testing.T) {
			t.Parallel()
			got := measure(t, test.set, test.strangers)
			t.Logf("precision %.3f, coverage %.3f, strangers refused %.3f", got.precision, got.coverage, got.refused)
			if got.precision < test.floor.precision || got.coverage < test.floor.coverage || got.refused < test.floor.refused {
				t.Errorf("below the floor %+v", test.floor)
			}
		})
	}
}

// figures are shares from 0 to 1.
type figures struct {
	precision float64 // of the answers given, those that are right; 40 of 100 questions are strangers
	coverage  float64 // of the questions with an entry, those answered rightly
	refused   float64 // of the strangers, those that got no answer
}

// tally counts questions of one kind by what became of them.
type tally struct{ asked, right, wrong float64 }

func (c *tally) count(book *Book, t *testing.T, q, want string) {
	t.Helper()
	got := book.Ask(t.Context(), q)
	c.asked++
	switch {
	case got.EntryID == nil:
	case *got.EntryID == want:
		c.right++
	default:
		c.wrong++
	}
}

func measure(t *testing.T, set, strangers string) figures {
	t.Helper()
	const draws, entries, alternates = 20, 30, 5
	all := readLines[content.Entry](t, set, "entries.jsonl")
	questions := readLines[labelled](t, set, "queries.jsonl")
	far := readLines[labelled](t, strangers, "queries.jsonl")
	rng := rand.New(rand.NewPCG(3, 4))
	var own, left, foreign tally
	for range draws {
		book := draw(rng, all, entries, alternates)
		rng.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
		for _, q := range questions[:min(600, len(questions))] {
			if book.Has(q.ID) {
				own.count(book, t, q.Q, q.ID)
			} else {
				left.count(book, t, q.Q, "")
			}
		}
		for range 100 {
			foreign.count(book, t, far[rng.IntN(len(far))].Q, "")
		}
	}
	answered := (left.wrong/left.asked + foreign.wrong/foreign.asked) / 2
	right, wrong := 0.6*own.right/own.asked, 0.6*own.wrong/own.asked+0.4*answered
	return figures{precision: right / (right + wrong), coverage: own.right / own.asked, refused: 1 - answered}
}

// draw makes a book of some entries, each with some of its alternates.
func draw(rng *rand.Rand, all []content.Entry, entries, alternates int) *Book {
	faq := content.FAQ{Fallback: "-"}
	for _, i := range rng.Perm(len(all))[:entries] {
		entry := all[i]
		rng.Shuffle(len(entry.Alternates), func(i, j int) {
			entry.Alternates[i], entry.Alternates[j] = entry.Alternates[j], entry.Alternates[i]
		})
		entry.Alternates = entry.Alternates[:min(alternates, len(entry.Alternates))]
		faq.Entries = append(faq.Entries, entry)
	}
	return New(faq, resolve)
}

// labelled is a question of a data set and the id of its entry; without an entry
// the id is empty.
type labelled struct{ Q, ID string }

func readLines[T any](t *testing.T, set, name string) []T {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "shared", "data", set, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the data set %s is not beside the repository", set)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var values []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var value T
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}
