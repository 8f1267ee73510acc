package main

import (
	"math"
	"slices"

	"frontdesk/faq/lexical"
)

// rankCase is a question, the evidence by which its candidates are ranked, and which of them answers.
type rankCase struct {
	rows   [][]float64 // by candidate
	wanted int         // place of the right one
	weight float64
}

const (
	rankRidge   = 1e-3
	mostHalving = 6 // of a step that would make the fit worse
	closeEnough = 1e-4
)

// fitRanker fits the weights of a linear score to the likelihood of the right candidates (McFadden's
// conditional logit).
func fitRanker(cases []rankCase) []float64 {
	n := len(cases[0].rows[0])
	scale := deviations(cases, n)
	var total float64
	for i := range cases {
		total += cases[i].weight
	}
	weights := newton(n, 20, func(weights, gradient []float64, curvature [][]float64) { // for scaled evidence
		for i := range n {
			curvature[i][i] = rankRidge
			gradient[i] = rankRidge * weights[i]
		}
		for i := range cases {
			cases[i].slope(weights, scale, gradient, curvature, cases[i].weight/total)
		}
	}, func(weights []float64) float64 { return loss(cases, weights, scale, total) })
	for i := range weights {
		weights[i] /= scale[i]
	}
	return weights
}

// newton makes a convex loss small by Newton's method. derive fills in its gradient and the lower half of its second
// derivatives.
func newton(n, steps int, derive func(weights, gradient []float64, curvature [][]float64),
	loss func(weights []float64) float64) []float64 {
	weights := make([]float64, n)
	for range steps {
		gradient, curvature := make([]float64, n), make([][]float64, n)
		for i := range curvature {
			curvature[i] = make([]float64, n)
		}
		derive(weights, gradient, curvature)
		step := solve(curvature, gradient)
		before, next, longest := loss(weights), make([]float64, n), 0.0
		for halving := range mostHalving {
			share := 1 / float64(int(1)<<halving)
			for i := range next {
				next[i] = weights[i] - share*step[i]
			}
			if loss(next) <= before {
				break
			}
		}
		for i := range next {
			longest = max(longest, math.Abs(next[i]-weights[i]))
		}
		weights = next
		if longest < closeEnough {
			break
		}
	}
	return weights
}

// loss is what fitRanker makes small.
func loss(cases []rankCase, weights, scale []float64, total float64) (sum float64) {
	for _, w := range weights {
		sum += rankRidge / 2 * w * w
	}
	for i := range cases {
		c := &cases[i]
		scores := c.scores(weights, scale)
		right := scores[c.wanted]
		sum += c.weight / total * (lexical.Softmax(scores) - right)
	}
	return sum
}

// deviations returns how much each part of the evidence differs between the candidates of a question.
func deviations(cases []rankCase, n int) []float64 {
	scale := make([]float64, n)
	count := 0.0
	for _, c := range cases {
		mean := make([]float64, n)
		for _, row := range c.rows {
			for i, v := range row {
				mean[i] += v / float64(len(c.rows))
			}
		}
		for _, row := range c.rows {
			count++
			for i, v := range row {
				scale[i] += (v - mean[i]) * (v - mean[i])
			}
		}
	}
	for i := range scale {
		scale[i] = math.Sqrt(scale[i]/count) + 1e-9
	}
	return scale
}

// scores returns the score of each candidate.
func (c *rankCase) scores(weights, scale []float64) []float64 {
	scores := make([]float64, len(c.rows))
	for r, row := range c.rows {
		for i, v := range row {
			scores[r] += weights[i] * v / scale[i]
		}
	}
	return scores
}

// slope adds the gradient and the curvature of one case.
func (c *rankCase) slope(weights, scale, gradient []float64, curvature [][]float64, share float64) {
	n := len(weights)
	scores := c.scores(weights, scale)
	lexical.Softmax(scores)
	mean := make([]float64, n)
	for r, row := range c.rows {
		for i, v := range row {
			mean[i] += scores[r] * v / scale[i]
		}
	}
	for i := range gradient {
		gradient[i] += share * (mean[i] - c.rows[c.wanted][i]/scale[i])
	}
	centred := make([]float64, n)
	for r, row := range c.rows {
		if scores[r] < 1e-6 {
			continue
		}
		for i, v := range row {
			centred[i] = v/scale[i] - mean[i]
		}
		for i := range n {
			by := share * scores[r] * centred[i]
			for j := range i + 1 {
				curvature[i][j] += by * centred[j]
			}
		}
	}
}

// solve returns x of a·x = b for a symmetric positive definite a, of which the lower half is read (Cholesky).
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	l := make([][]float64, n)
	x := slices.Clone(b)
	for i := range n {
		l[i] = make([]float64, i+1)
		for j := range i + 1 {
			sum := a[i][j] - lexical.Dot(l[i][:j], l[j][:j])
			if i == j {
				l[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
		x[i] = (x[i] - lexical.Dot(l[i][:i], x[:i])) / l[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= l[j][i] * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}
