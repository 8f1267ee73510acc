package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// terms is how many numbers the confidence by words is computed from.
var terms = len((&lexical.Evidence{}).Terms())

// example is a question, and what the selector by words made of it.
type example struct {
	evidence   lexical.Evidence
	right      bool    // the entry that was ranked first answers the question
	weight     float64 // beside the other examples
	confidence float64 // once a calibration has judged it
}

// examine asks questions of content and returns what the selector by words made of them, weighed. Without dense, as
// in content that is too large for trained scores.
func examine(d drawn, background *lexical.Background, dense bool) (examples []example) {
	unfitted := &lexical.Calibration{
		Mean: make([]float64, terms), Scale: make([]float64, terms), Weights: make([]float64, terms+1),
		Thresholds:    lexical.Thresholds{{Precision: 1, Probability: 1}},
		FewThresholds: lexical.Thresholds{{Precision: 1, Probability: 1}},
	}
	knowledge := &lexical.Knowledge{Background: background, Sparse: unfitted}
	if dense {
		knowledge.Dense = unfitted
	}
	s := lexical.New(d.entries, lexical.Options{Precision: precision, Unanswered: d.unanswered, Knowledge: knowledge})
	var counts [kinds]float64
	var asked []int // the kind of each example
	for _, q := range d.questions {
		choice := s.Select(q.text, everyone)
		if len(choice.Best) > 0 {
			examples = append(examples, example{evidence: choice.Evidence, right: choice.Best[0] == q.entry})
			asked = append(asked, q.kind())
			counts[q.kind()]++
		}
	}
	weights := weightsOf(counts)
	for i, kind := range asked {
		examples[i].weight = weights[kind]
	}
	return examples
}

// ridge holds each weight back, so that terms that say the same share what they say.
const ridge = 0.003

// calibrate fits a calibration to weighed examples.
func calibrate(examples []example) *lexical.Calibration {
	c := &lexical.Calibration{Mean: make([]float64, terms), Scale: make([]float64, terms)}
	var total float64
	for i := range examples {
		total += examples[i].weight
		for j, term := range examples[i].evidence.Terms() {
			c.Mean[j] += examples[i].weight * term
			c.Scale[j] += examples[i].weight * term * term
		}
	}
	for j := range c.Mean {
		c.Mean[j] /= total
		c.Scale[j] = math.Sqrt(max(c.Scale[j]/total-c.Mean[j]*c.Mean[j], 0))
		if c.Scale[j] < 1e-6 {
			c.Scale[j] = 0
		}
	}
	points := make([][]float64, len(examples))
	for i := range examples {
		points[i] = make([]float64, terms+1)
		points[i][terms] = 1
		for j, term := range examples[i].evidence.Terms() {
			if c.Scale[j] > 0 {
				points[i][j] = (term - c.Mean[j]) / c.Scale[j]
			}
		}
	}
	c.Weights = fitLogistic(points, examples, 12)
	for i := range examples {
		examples[i].confidence = lexical.Sigmoid(lexical.Dot(c.Weights, points[i]))
	}
	c.Thresholds = measureThresholds(examples)
	c.FewThresholds = measureThresholds(slices.DeleteFunc(slices.Clone(examples), func(e example) bool {
		return e.evidence[lexical.EvTexts] >= math.Log(lexical.FewWordings)
	}))
	return c
}

// fitLogistic fits the weights of a logistic model, the last of which is not held back, in so many steps.
func fitLogistic(points [][]float64, examples []example, steps int) []float64 {
	n := len(points[0])
	return newton(n, steps, func(weights, gradient []float64, curvature [][]float64) {
		for i := range n - 1 {
			curvature[i][i] = ridge
			gradient[i] = ridge * weights[i]
		}
		curvature[n-1][n-1] = 1e-9
		for k, x := range points {
			p := lexical.Sigmoid(lexical.Dot(weights, x))
			wrong := p
			if examples[k].right {
				wrong--
			}
			for i, xi := range x {
				gradient[i] += examples[k].weight * wrong * xi
				by := examples[k].weight * p * (1 - p) * xi
				for j := range i + 1 {
					curvature[i][j] += by * x[j]
				}
			}
		}
	}, func([]float64) float64 { return 0 })
}

// precisions are those for which thresholds are kept.
var precisions = []float64{0.5, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995}

// measureThresholds returns the thresholds that judged examples show.
func measureThresholds(examples []example) (thresholds lexical.Thresholds) {
	least := 0.0
	for _, precision := range precisions {
		least = max(least, leastProbability(examples, precision))
		thresholds = append(thresholds, lexical.Threshold{Precision: precision, Probability: least})
	}
	return thresholds
}

// leastProbability returns the least confidence from which the answers to examples reach a precision, all of them
// together. When none do, it is one.
func leastProbability(examples []example, precision float64) float64 {
	order := slices.Clone(examples)
	slices.SortStableFunc(order, func(a, b example) int { return cmp.Compare(b.confidence, a.confidence) })
	var right, all float64
	least := 1.0
	for i, e := range order {
		all += e.weight
		if e.right {
			right += e.weight
		}
		if i+1 < len(order) && order[i+1].confidence == e.confidence {
			continue
		}
		if right >= precision*all {
			least = e.confidence
		}
	}
	return least
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
