package lexical

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func TestWindows(t *testing.T) {
	t.Parallel()
	s := &space{profile: profile{gramMin: 3, gramMax: 4}}
	for word, want := range map[string][]string{
		"a":   {" a "},
		"ab":  {" ab", "ab ", " ab "},
		"äbc": {" äb", "äbc", "bc ", " äbc", "äbc "},
		"営業":  {" 営業", "営業 ", " 営業 "},
	} {
		expect.Same(t, fmt.Sprintf("windows(%q)", word), want, slices.Collect(s.windows(word)))
	}
}

func TestVectorsHaveTheSameLength(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	x := newIndex(entries, wordings(entries, nil), new(Background), false)
	longest := float64(x.space.longest())
	for i, v := range x.vectors {
		var square float64
		for _, value := range v.values {
			square += float64(value) * float64(value)
		}
		if square > longest+1e-3 || square < 1 {
			t.Fatalf("text %d has the squared length %v, at most %v", i, square, longest)
		}
	}
}

func TestParseRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string][2]string{
		"no calibration":   {"texts 1\n", "{}"},
		"not JSON":         {"texts 1\n", "-"},
		"a word uncounted": {"texts 1\nhello\n", string(shippedCalibration)},
	} {
		if _, err := parse([]byte(test[0]), []byte(test[1])); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The words of an answer lead to an entry that has no other wording.
func TestAnswerWordsHelp(t *testing.T) {
	t.Parallel()
	entries := []content.Entry{
		{ID: "a", Question: "What is on the menu?", Answer: "Soup, bread and cheese."},
		{ID: "b", Question: "What is on the roof?", Answer: "Solar cells and a chimney."},
	}
	if got := newSelector(t, entries).Select("Is there a chimney?", everyone); got.Best[0] != 1 {
		t.Errorf("got %+v", got)
	}
}

// The machines know texts like those that they were trained with, and texts of no entry.
func TestMachines(t *testing.T) {
	t.Parallel()
	const size, entries = 32, 5
	rng := rand.New(rand.NewPCG(3, 3))
	near := func(of int) []float32 {
		text := make([]float32, size)
		var square float64
		for i := range text {
			text[i] = 0.1 * float32(rng.NormFloat64())
			if i == of {
				text[i]++
			}
			square += float64(text[i] * text[i])
		}
		for i := range text {
			text[i] /= float32(math.Sqrt(square))
		}
		return text
	}
	var texts [][]float32
	var owners []int32
	for range 6 {
		for e := range entries {
			texts, owners = append(texts, near(e)), append(owners, int32(e))
		}
		texts, owners = append(texts, near(entries)), append(owners, NoEntry)
	}
	m := TrainMachines(texts, owners, entries)
	for own := range entries + 1 {
		for e, score := range m.Scores(near(own)) {
			if (score > 0) != (e == own) {
				t.Errorf("a text of %d has the score %.2f of %d", own, score, e)
			}
		}
	}
}
