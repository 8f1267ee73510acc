package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// terms is how many numbers the confidence by words is computed from.
var terms = len((&lexical.Evidence{}).Terms())

// examine asks questions of content and returns what the selector by words made of them, weighed. Without dense, as
// in content that is too large for trained scores.
func examine(d drawn, background *lexical.Background, dense bool) (examples []lexical.Example) {
	unfitted := &lexical.Calibration{
		Mean: make([]float64, terms), Scale: make([]float64, terms), Weights: make([]float64, terms+1),
		Thresholds: lexical.Thresholds{{Precision: 1, Probability: 1}}, FewThresholds: lexical.Thresholds{{Precision: 1, Probability: 1}},
	}
	knowledge := &lexical.Knowledge{Background: background, Sparse: unfitted}
	if dense {
		knowledge.Dense = unfitted
	}
	s := lexical.New(d.entries, lexical.Options{Precision: precision, Unanswered: d.unanswered, Knowledge: knowledge})
	for _, q := range d.questions {
		choice := s.Select(q.text, everyone)
		if len(choice.Best) > 0 {
			examples = append(examples, lexical.Example{
				Evidence: choice.Evidence, Right: choice.Best[0] == q.entry, OutOfScope: q.entry < 0, Far: q.far,
			})
		}
	}
	lexical.Balance(examples)
	return examples
}

// ridge holds each weight back, so that terms that say the same share what they say.
const ridge = 0.003

// calibrate fits a calibration to weighed examples.
func calibrate(examples []lexical.Example) *lexical.Calibration {
	c := &lexical.Calibration{
		Mean: make([]float64, terms), Scale: make([]float64, terms),
		Weights: make([]float64, terms+1), Information: make([][]float64, terms+1),
	}
	var total float64
	for i := range examples {
		total += examples[i].Weight
		for j, term := range examples[i].Evidence.Terms() {
			c.Mean[j] += examples[i].Weight * term
			c.Scale[j] += examples[i].Weight * term * term
		}
	}
	for j := range c.Mean {
		c.Mean[j] /= total
		c.Scale[j] = math.Sqrt(max(c.Scale[j]/total-c.Mean[j]*c.Mean[j], 0))
		if c.Scale[j] < 1e-6 {
			c.Scale[j] = 0
		}
	}
	for i := range c.Information {
		c.Information[i] = make([]float64, terms+1)
		c.Information[i][i] = ridge
	}
	c.Information[terms][terms] = 1e-9 // the constant is not held back
	c = c.Refit(examples, 1)
	c.Judge(examples)
	c.Thresholds = measureThresholds(examples)
	c.FewThresholds = measureThresholds(slices.DeleteFunc(slices.Clone(examples), func(e lexical.Example) bool {
		return e.Evidence[lexical.EvTexts] >= math.Log(lexical.FewWordings)
	}))
	return c
}

// precisions are those for which thresholds are kept.
var precisions = []float64{0.5, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995}

// measureThresholds returns the thresholds that judged examples show.
func measureThresholds(examples []lexical.Example) (thresholds lexical.Thresholds) {
	least := 0.0
	for _, precision := range precisions {
		least = max(least, lexical.LeastProbability(examples, precision))
		thresholds = append(thresholds, lexical.Threshold{Precision: precision, Probability: least})
	}
	return thresholds
}

// leastCount is in how many texts a word must be to be kept: most are in fewer, and say nothing.
const leastCount = 3

// countWords returns the file of the background: how many of the texts have each word.
func countWords(texts []string) []byte {
	counts := map[string]int{}
	last := map[string]int{}
	for i, s := range texts {
		for _, word := range text.AppendWords(nil, s) {
			if last[word] != i+1 {
				last[word] = i + 1
				counts[word]++
			}
		}
	}
	file := fmt.Appendf(nil, "texts %d\n", len(texts))
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		if counts[word] >= leastCount {
			file = fmt.Appendf(file, "%s %d\n", word, counts[word])
		}
	}
	return file
}
