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

// example is a question, and what the selector by words made of it.
type example struct {
	evidence   lexical.Evidence
	right      bool    // the entry that was ranked first answers the question
	weight     float64 // beside the other examples
	confidence float64 // once a calibration has judged it
}

// examine asks questions of content and returns what the selector by words made of them, with weights.
func examine(d drawn, background *lexical.Background) (examples []example) {
	s := lexical.New(d.entries, d.unanswered, &lexical.Knowledge{Background: background})
	var counts [kinds]float64
	var asked []int // the kind of each example
	for _, q := range d.questions {
		pairs, _ := s.Weigh(q.text, everyone, nil)
		if len(pairs) > 0 {
			examples = append(examples, example{evidence: pairs[0].Evidence, right: pairs[0].Entry == q.entry})
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

// ridge is the penalty on the square of each weight, so that correlated parts share their weight.
const ridge = 0.003

// calibrate fits a calibration to sim, the examples of simulated content. It measures the thresholds for many
// wordings on sim, and those for few wordings on few.
func calibrate(sim, few []example) *lexical.Calibration {
	c := new(lexical.Calibration)
	examples := slices.Concat(sim, few)
	points := make([][]float64, len(examples))
	for i := range examples {
		points[i] = examples[i].evidence.Terms()
	}
	c.Weights = fitLogistic(points[:len(sim)], sim, 12)
	for i := range examples {
		examples[i].confidence = lexical.Sigmoid(lexical.Dot(c.Weights, points[i]))
	}
	c.FewThresholds = measureThresholds(examples[len(sim):])
	c.Thresholds = measureThresholds(slices.DeleteFunc(examples[:len(sim)], func(e example) bool {
		return e.evidence[lexical.EvWordings] < math.Log(lexical.FewWordings)
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
