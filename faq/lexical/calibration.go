package lexical

// Calibration turns evidence into the probability that an entry answers: a logistic
// model over the terms of the evidence.
type Calibration struct {
	Mean    []float64 `json:"mean"`    // of each term
	Scale   []float64 `json:"scale"`   // its standard deviation
	Weights []float64 `json:"weights"` // of each term after both, and at last of the constant
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

// confidence is the probability that an entry with such evidence answers.
func (c *Calibration) confidence(e *Evidence) float64 {
	sum := c.Weights[termsSize]
	for i, term := range e.Terms() {
		if c.Scale[i] > 0 {
			sum += c.Weights[i] * (term - c.Mean[i]) / c.Scale[i]
		}
	}
	return Sigmoid(sum)
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
			from, to := Logit(last.Probability), Logit(next.Probability)
			share := (precision - last.Precision) / (next.Precision - last.Precision)
			return Sigmoid(from + share*(to-from))
		}
		last = next
	}
	return last.Probability
}
