package config

import (
	"fmt"
	"strconv"

	"frontdesk/faq"
)

// Selection is how an answer is chosen. The owner's commands that try answers read
// it too.
type Selection struct {
	AnswerPrecision string `env:"FRONTDESK_ANSWER_PRECISION" default:"0.95" placeholder:"SHARE" help:"How sure the embedded selector must be to answer: the share of its answers that shall be right, from 0.5 to 0.995."`
}

// The precisions that can be asked for: the confidence was measured between them.
const (
	leastPrecision = 0.5
	mostPrecision  = 0.995
)

// Precision is the share of the selector's answers that shall be right. With an
// error it is the default.
func (s Selection) Precision() (float64, error) {
	if s.AnswerPrecision == "" {
		return faq.DefaultPrecision, nil
	}
	share, err := strconv.ParseFloat(s.AnswerPrecision, 64)
	if err != nil || !(share >= leastPrecision && share <= mostPrecision) {
		return faq.DefaultPrecision, fmt.Errorf("%sANSWER_PRECISION: %q is not a share from %v to %v, such as %v",
			Prefix, s.AnswerPrecision, leastPrecision, mostPrecision, faq.DefaultPrecision)
	}
	return share, nil
}
