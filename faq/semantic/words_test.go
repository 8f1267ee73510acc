package semantic

import (
	"math"
	"strings"
	"testing"

	"frontdesk/faq/encoder"
	"frontdesk/internal/expect"
)

func cut(t *testing.T, text string) (words []word, sentences []int, written []string) {
	t.Helper()
	e := expect.Value(encoder.Multilingual())(t)
	var pieces []token
	for _, p := range e.Encode(encoder.Text{Text: text})[0].Pieces {
		pieces = append(pieces, token{id: p.ID})
	}
	words, sentences = segment(e, pieces)
	for _, w := range words {
		word := ""
		for _, p := range pieces[w.from:w.to] {
			written, _ := e.Token(p.id)
			word += strings.TrimPrefix(written, encoder.Space)
		}
		written = append(written, word)
	}
	return words, sentences, written
}

func TestSegment(t *testing.T) {
	t.Parallel()
	_, sentences, written := cut(t, "Hello! Our train is late, can we still check in at 10.30?")
	expect.Same(t, "words", "Hello Our train is late can we still check in at 10.30", strings.Join(written, " "))
	expect.Same(t, "ends of sentences", []int{1, 12}, sentences)
	for _, text := range []string{"", " ", "?", "?!", "…", "\xff"} {
		words, sentences, written := cut(t, text)
		if len(words) != len(written) || sentences[len(sentences)-1] != len(words) {
			t.Errorf("%q: %+v, sentences end at %d", text, words, sentences)
		}
	}
}

func TestWordsThatSayMoreWeighMore(t *testing.T) {
	t.Parallel()
	words, _, written := cut(t, "is there gluten in the bread")
	weight := map[string]float64{}
	for i, w := range written {
		weight[w] = words[i].weight
	}
	for _, pair := range [][2]string{{"is", "there"}, {"in", "bread"}, {"the", "bread"}, {"there", "gluten"}} {
		if weight[pair[0]] >= weight[pair[1]] {
			t.Errorf("%q weighs %.2f, %q %.2f", pair[0], weight[pair[0]], pair[1], weight[pair[1]])
		}
	}
}

func TestCompareElsewhere(t *testing.T) {
	t.Parallel()
	candidates := []Candidate{{byWord: []float64{0.9, 0.2}}, {byWord: []float64{0.4, 0.2}}, {byWord: []float64{0.6, 0.8}}}
	compareElsewhere(candidates, []word{{0, 1, 1}, {1, 2, 0.5}})
	for i, want := range []float64{0.3, 0.8, 0.3} {
		if got := candidates[i].elsewhere; math.Abs(got-want) > 1e-9 {
			t.Errorf("candidate %d: %v, want %v", i, got, want)
		}
	}
}
