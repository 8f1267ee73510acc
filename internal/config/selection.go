package config

import (
	"frontdesk/faq"
	"frontdesk/faq/meaning"
)

// Selection is how an answer is chosen. serve and the owner's commands that try answers
// read it.
type Selection struct {
	Encoder         Switch `env:"FRONTDESK_ENCODER" default:"on" placeholder:"on|off" help:"Whether the embedded sentence encoder helps with questions that matching by words cannot decide. Off saves memory and a second at the first start, but answers fewer questions."`
	AnswerPrecision Share  `env:"FRONTDESK_ANSWER_PRECISION" default:"0.95" placeholder:"SHARE" help:"How sure the embedded selector must be to answer: the share of its answers that must be right, from 0.5 to 0.995." min:"0.5" max:"0.995"`
}

// settled is the selection with its values. The error names each setting that is wrong.
func (s Selection) settled() (Selection, error) {
	wrong := faults{}
	wrong.settle(&s)
	return s, wrong.join()
}

// Maker returns the maker of books for these settings, and the encoder's reader, nil when the encoder is off.
// The vectors of the entries are cached in the folder dir, or only in memory if dir is empty. report is called
// when a cache file cannot be read or written.
func (s Selection) Maker(dir string, report func(error)) (faq.Maker, *meaning.Reader, error) {
	s, err := s.settled()
	if err != nil || !s.Encoder.value {
		return faq.New, nil, err
	}
	reader, err := meaning.NewReader(dir, report)
	if err != nil {
		return nil, nil, err
	}
	return faq.With(reader), reader, nil
}

// Precision returns the share of the selector's answers that must be right.
func (s Selection) Precision() (float64, error) {
	s, err := s.settled()
	return s.AnswerPrecision.value, err
}
