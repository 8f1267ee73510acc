package semantic

import (
	"strings"
	"testing"

	"frontdesk/faq/encoder"
	"frontdesk/internal/expect"
)

// cut segments a text as the embedded encoder reads it, and returns its words as written.
func cut(t *testing.T, text string) (s segmented, written []string) {
	t.Helper()
	e := expect.Value(encoder.Multilingual())(t)
	encoded := e.Encode(encoder.Text{Kind: encoder.Query, Text: text})[0].Pieces
	var pieces []token
	for _, p := range encoded {
		pieces = append(pieces, token{id: int32(p.ID)})
	}
	s = segment(e, pieces)
	for _, w := range s.words {
		word := ""
		for _, p := range pieces[w.from:w.to] {
			written, _ := e.Token(int(p.id))
			word += strings.TrimPrefix(written, encoder.Space)
		}
		written = append(written, word)
	}
	return s, written
}

func TestSegment(t *testing.T) {
	t.Parallel()
	s, written := cut(t, "Hello! Our train is late, can we still check in at 10.30?")
	want := []string{"Hello", "Our", "train", "is", "late", "can", "we", "still", "check", "in", "at", "10.30"}
	expect.Same(t, "words", want, written)
	expect.Same(t, "ends of sentences", []int{1, 12}, s.sentences)
	var clauses []int
	for _, c := range s.clausesOf() {
		clauses = append(clauses, len(c))
	}
	expect.Same(t, "words of clauses", []int{5, 7}, clauses)
}

func TestWordsThatSayMoreWeighMore(t *testing.T) {
	t.Parallel()
	s, written := cut(t, "is there gluten in the bread")
	weight := map[string]float64{}
	for i, w := range written {
		weight[w] = s.words[i].weight
	}
	for _, pair := range [][2]string{{"is", "there"}, {"in", "bread"}, {"the", "bread"}, {"there", "gluten"}} {
		if weight[pair[0]] >= weight[pair[1]] {
			t.Errorf("%q weighs %.2f, %q %.2f", pair[0], weight[pair[0]], pair[1], weight[pair[1]])
		}
	}
}

func TestSegmentOfNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "?", "?!", "…", "\xff"} {
		s, _ := cut(t, text)
		for _, c := range s.clausesOf() {
			if len(c) > len(s.words) {
				t.Errorf("%q: a clause of %d words", text, len(c))
			}
		}
	}
}

func TestCompareElsewhere(t *testing.T) {
	t.Parallel()
	candidates := make([]Candidate, 3)
	words := []word{{0, 1, 1}, {1, 2, 0.5}}
	compareElsewhere(candidates, words, [][]float64{{0.9, 0.2}, {0.4, 0.2}, {0.6, 0.8}})
	for i, want := range [][2]float64{{0.3, 0.3}, {0.5, 0.8}, {0.3, 0.3}} {
		got := candidates[i].words
		if diff := max(got[wordElsewhere]-want[0], want[0]-got[wordElsewhere], got[wordsElsewhere]-want[1], want[1]-got[wordsElsewhere]); diff > 1e-9 {
			t.Errorf("candidate %d: %v %v, want %v", i, got[wordElsewhere], got[wordsElsewhere], want)
		}
	}
}
