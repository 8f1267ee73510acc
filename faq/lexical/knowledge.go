package lexical

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Knowledge is what a selector knows besides the content.
type Knowledge struct {
	Background  *Background // of general language
	Calibration *Calibration
}

// data/README.md says what the embedded files were made from.

var (
	//go:embed data/words.txt
	shippedWords []byte
	//go:embed data/calibration.json
	shippedCalibration []byte
)

// Shipped is the knowledge that is embedded.
var Shipped = sync.OnceValue(func() *Knowledge {
	know, err := parse(shippedWords, shippedCalibration)
	if err != nil {
		panic(fmt.Sprintf("the embedded knowledge: %v", err)) // a test reads it
	}
	return know
})

func parse(words, calibration []byte) (*Knowledge, error) {
	c := new(Calibration)
	if err := json.Unmarshal(calibration, c); err != nil {
		return nil, err
	}
	if len(c.Weights) != len(new(Evidence).Terms()) || len(c.Thresholds) == 0 || len(c.FewThresholds) == 0 {
		return nil, errors.New("the calibration was fitted to other evidence than this program has: run make calibrate")
	}
	background, err := ParseBackground(words)
	return &Knowledge{background, c}, err
}

// Calibration turns evidence into the probability that an entry answers: a logistic model.
type Calibration struct {
	Weights []float64 `json:"weights"` // of each term of the evidence
	// Thresholds are the least probabilities from which answers reached a precision.
	Thresholds Thresholds `json:"thresholds"`
	// FewThresholds are those for entries of few wordings, whose confidence is less reliable.
	FewThresholds Thresholds `json:"few_thresholds"`
}

// Threshold says from which probability answers reach a precision.
type Threshold struct {
	Precision   float64 `json:"precision"`
	Probability float64 `json:"probability"`
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
