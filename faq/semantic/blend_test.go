package semantic

import (
	"fmt"
	"testing"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
	"frontdesk/internal/expect"
)

// deafEncoder gives each text a vector that has nothing to do with its words.
type deafEncoder struct{ wordEncoder }

func (e *deafEncoder) Encode(texts ...encoder.Text) (out []encoder.Encoded) {
	for _, t := range texts {
		out = append(out, e.encode(fmt.Sprintf("%x", t.Text)))
	}
	return out
}

// topics is content whose entries have words of their own, two of them in each wording.
func topics(entries, wordings int) (all []content.Entry) {
	for i := range entries {
		e := content.Entry{ID: fmt.Sprint(i), Question: fmt.Sprintf("topic%d", i), Answer: "Yes."}
		for j := 1; j < wordings; j++ {
			e.Alternates = append(e.Alternates, fmt.Sprintf("a%dx b%dx filler%d", 100*i+j%7, 100*i+j%5, j))
		}
		all = append(all, e)
	}
	return all
}

// Words count more where the content's own wordings are found by them, that other content is
// left as it was fitted, and no text is encoded for it.
func TestWordShare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		entries, wordings int
		finds             bool
	}{
		"enough":              {16, 40, true},
		"few wordings":        {16, manyWordings - 1, false},
		"few entries of many": {5, 60, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := new(deafEncoder)
			entries := topics(test.entries, test.wordings)
			words := lexical.New(entries, lexical.Options{Precision: 0.95, Knowledge: lexical.Shipped()})
			s := New(words, NewEmbedder(e, Shipped(), Files{}, noReport(t)), entries, nil, 0.95)
			if (s.wordShare > 0) != test.finds {
				t.Errorf("the share of words is %v", s.wordShare)
			}
			expect.Same(t, "texts encoded", test.entries*(min(test.wordings, maxWordings)+1), int(e.encoded.Load()))
		})
	}
}

// Entries far behind the first are no candidates.
func TestFarBehind(t *testing.T) {
	t.Parallel()
	for want, scores := range map[int][]float64{1: {9, 2, 1}, 2: {9, 3.5, 2.9}, 3: {9, 9, 9}} {
		c := new(Candidates)
		for _, score := range scores {
			c.List = append(c.List, Candidate{score: score})
		}
		expect.Same(t, fmt.Sprint(scores), want, c.countNear())
	}
}
