package config

import (
	"fmt"
	"strconv"

	"frontdesk/faq"
	"frontdesk/faq/meaning"
)

// Selection is how an answer is chosen. serve and the owner's commands that try answers
// read it.
type Selection struct {
	Encoder         string `env:"FRONTDESK_ENCODER" default:"on" placeholder:"on|off" help:"Whether the embedded sentence encoder helps with questions that matching by words cannot decide. Off saves memory and a second at the first start, but answers fewer questions."`
	AnswerPrecision string `env:"FRONTDESK_ANSWER_PRECISION" default:"0.95" placeholder:"SHARE" help:"How sure the embedded selector must be to answer: the share of its answers that must be right, from 0.5 to 0.995."`
}

// UsesEncoder reports whether the encoder is on. With an error it returns the default.
func (s Selection) UsesEncoder() (bool, error) {
	switch s.Encoder {
	case "", "on":
		return true, nil
	case "off":
		return false, nil
	}
	return true, fmt.Errorf("%sENCODER: %q is not on or off", Prefix, s.Encoder)
}

// Maker returns the maker of books for these settings, and the encoder's reader, nil when the encoder is off.
// The vectors of the entries are cached in the folder dir, or only in memory if dir is empty. report is called
// when a cache file cannot be read or written.
func (s Selection) Maker(dir string, report func(error)) (faq.Maker, *meaning.Reader, error) {
	uses, err := s.UsesEncoder()
	if err != nil || !uses {
		return faq.New, nil, err
	}
	reader, err := meaning.NewReader(dir, report)
	if err != nil {
		return nil, nil, err
	}
	return faq.With(reader), reader, nil
}

// Bounds of the precision: the confidence was measured between them.
const (
	leastPrecision = 0.5
	mostPrecision  = 0.995
)

// Precision returns the share of the selector's answers that must be right. With an
// error it returns the default.
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
