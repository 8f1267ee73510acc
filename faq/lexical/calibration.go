package lexical

import "math"

// Calibration turns evidence into the probability that an entry answers: a logistic
// model over the terms of the evidence.
type Calibration struct {
	Mean    []float64 `json:"mean"`    // of each term
	Scale   []float64 `json:"scale"`   // its standard deviation
	Weights []float64 `json:"weights"` // of each term after both, and at last of the constant
	// Information is how surely each weight is known (the Hessian of the mean loss),
	// row by row. A refit on the content's own wordings starts from it; without it there is none.
	Information [][]float64 `json:"information"`
	// Thresholds are the least probabilities from which answers reached a precision.
	Thresholds Thresholds `json:"thresholds"`
	// FewThresholds are those for entries of few wordings, where confidence is less true.
	FewThresholds Thresholds `json:"few_thresholds"`
}

// Threshold says from which probability answers reach a precision.
type Threshold struct {
	Precision   float64 `json:"precision"`
	Probability float64 `json:"probability"`
}

// dimensions are the terms and the constant.
const dimensions = termsSize + 1

// point is evidence as the model sees it: the terms scaled, and one for the constant.
type point [dimensions]float64

func (c *Calibration) point(e *Evidence) (p point) {
	terms := e.Terms()
	for i, term := range terms {
		if c.Scale[i] > 0 {
			p[i] = (term - c.Mean[i]) / c.Scale[i]
		}
	}
	p[termsSize] = 1
	return p
}

// confidence is the probability that an entry with such evidence answers.
func (c *Calibration) confidence(e *Evidence) float64 {
	p := c.point(e)
	return sigmoid(dot(c.Weights, p[:]))
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Thresholds are in the order of their precisions.
type Thresholds []Threshold

// At returns the least probability for a precision, between those that were measured on the scale of log odds.
func (t Thresholds) At(precision float64) float64 {
	last := t[0]
	if precision <= last.Precision {
		return last.Probability
	}
	for _, next := range t[1:] {
		if precision <= next.Precision {
			from, to := logit(last.Probability), logit(next.Probability)
			share := (precision - last.Precision) / (next.Precision - last.Precision)
			return sigmoid(from + share*(to-from))
		}
		last = next
	}
	return last.Probability
}
