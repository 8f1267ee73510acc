package site

import (
	"time"

	"frontdesk/contract"
)

// Judged is the content of the page /feedback, after a reader has rated an answer.
type Judged struct {
	Path    string // of the request; it decides the language
	Helpful bool
	Q       string // the question; empty for an answer on the page /faq
	Err     *contract.Error
}

// Judged is the page /feedback.
func (s *Site) Judged(j Judged) Page {
	e := s.editionOf(j.Path)
	title, text := e.t("helpful.title"), e.t("helpful.bad")
	switch {
	case j.Err != nil:
		title, text = e.problemWords(j.Err)
	case j.Helpful:
		text = e.t("helpful.good")
	}
	return e.page(view{
		Title: title, IsOwn: true, Description: text, Now: time.Now(),
		Template: "feedback", Shown: data{
			"Text": text, "Q": j.Q, "Write": j.Err == nil && !j.Helpful, // offer to write to the business
		},
	}, e.mark(text, true)+"\n")
}
