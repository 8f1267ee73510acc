package lexical

import (
	"math"
	"slices"
)

// Sigmoid is the probability of a log of the odds.
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Logit is the log of the odds. Probabilities near 0 and 1 are held off them, so that it is finite.
func Logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

// Softmax turns scores into probabilities and returns the logarithm of the sum of their exponentials.
func Softmax(scores []float64) (logSum float64) {
	top, sum := slices.Max(scores), 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - top)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
	return top + math.Log(sum)
}

// Dot is the sum of the products of what is at the same places.
func Dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Indicator is 1 for what is true and 0 otherwise.
func Indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
