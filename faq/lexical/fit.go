package lexical

import "math"

// Example is a question to content that is known to have, or not to have, an entry
// for it, and what the selector made of it.
type Example struct {
	Evidence   Evidence
	Right      bool    // the entry that was ranked first answers the question
	OutOfScope bool    // no entry does
	Far        bool    // and its subject is none of the content's
	Weight     float64 // beside the other examples
	Confidence float64 // once a calibration has judged it
}

// The questions that an FAQ is asked are taken to be 70 of 100 its own, 15 on its
// subject but without an entry, 15 on anything else. Examples in other shares are
// weighed as if they had these.
const (
	ownShare     = 0.7
	siblingShare = 0.15
	foreignShare = 0.15
)

// heaviest is how many questions with an entry one without counts at most, so that the
// one or two questions that an owner wants unanswered do not decide everything.
const heaviest = 5

// Balance gives the examples their weights.
func Balance(examples []Example) {
	var counts [3]float64
	for i := range examples {
		counts[examples[i].sort()]++
	}
	for i := range examples {
		sort := examples[i].sort()
		weight := [...]float64{ownShare, siblingShare, foreignShare}[sort] / counts[sort]
		examples[i].Weight = min(weight, heaviest*ownShare/max(counts[0], 1))
	}
}

// sort is the place of an example among the shares.
func (e *Example) sort() int {
	switch {
	case !e.OutOfScope:
		return 0
	case !e.Far:
		return 1
	}
	return 2
}

func (c *Calibration) points(examples []Example) []point {
	points := make([]point, len(examples))
	for i := range examples {
		points[i] = c.point(&examples[i].Evidence)
	}
	return points
}

// Refit gives a calibration that agrees with further examples, weighed to the sum
// of one: they count share as much as all that c was fitted to.
func (c *Calibration) Refit(examples []Example, share float64) *Calibration {
	prior := make([][]float64, dimensions)
	for i := range prior {
		prior[i] = make([]float64, dimensions)
		for j := range prior[i] {
			prior[i][j] = c.Information[i][j] / share
		}
	}
	refitted := *c
	refitted.Weights, refitted.Information = newton(c.points(examples), examples, c.Weights, prior)
	return &refitted
}

const (
	newtonSteps = 12
	newtonClose = 1e-4
)

// newton minimizes the logistic loss of the points plus half the squared distance
// of the weights from start as prior measures it. It gives the weights and the
// curvature there.
func newton(points []point, examples []Example, start []float64, prior [][]float64) ([]float64, [][]float64) {
	weights := append([]float64(nil), start...)
	var curvature [][]float64
	for range newtonSteps {
		var gradient []float64
		gradient, curvature = slope(points, examples, weights, prior, start)
		step := Solve(curvature, gradient)
		length := 0.0
		for j := range weights {
			weights[j] -= step[j]
			length = max(length, math.Abs(step[j]))
		}
		if length < newtonClose {
			break
		}
	}
	return weights, curvature
}

// slope gives the gradient and the curvature at weights.
func slope(points []point, examples []Example, weights []float64, prior [][]float64, start []float64) ([]float64, [][]float64) {
	gradient := make([]float64, dimensions)
	curvature := make([][]float64, dimensions)
	for i := range curvature {
		curvature[i] = append([]float64(nil), prior[i]...)
		for j := range prior[i] {
			gradient[i] += prior[i][j] * (weights[j] - start[j])
		}
	}
	for n := range points {
		x := &points[n]
		p := sigmoid(dot(weights, x[:]))
		wrong := p
		if examples[n].Right {
			wrong--
		}
		wrong *= examples[n].Weight
		bend := examples[n].Weight * p * (1 - p)
		for i, xi := range x {
			gradient[i] += wrong * xi
			row, by := curvature[i], bend*xi
			for j := range i + 1 {
				row[j] += by * x[j]
			}
		}
	}
	for i := range curvature {
		for j := range i {
			curvature[j][i] = curvature[i][j]
		}
	}
	return gradient, curvature
}

// Solve returns x of a·x = b for a symmetric positive definite a (Cholesky).
func Solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	l := make([][]float64, n)
	x := append([]float64(nil), b...)
	for i := range n {
		l[i] = make([]float64, i+1)
		for j := range i + 1 {
			sum := a[i][j] - dot(l[i][:j], l[j][:j])
			if i == j {
				l[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
		x[i] = (x[i] - dot(l[i][:i], x[:i])) / l[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= l[j][i] * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}
