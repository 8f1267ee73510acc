package site

import "frontdesk/contract"

// Judged is what the page /feedback shows after a reader has judged an answer.
type Judged struct {
	Path    string // of the request, which says the language
	Helpful bool
	Q       string // what was asked; empty for an answer of the page of questions
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
	data := struct {
		Title, Text, Q string
		Write          bool // offer to write to the business
		CTA            string
	}{title, text, j.Q, j.Err == nil && !j.Helpful, e.invitation()}
	return Page{
		HTML:     e.frame(view{Title: title, Description: text, Body: e.execute("feedback", data)}, nil),
		Markdown: e.markdown(title, text+"\n"),
	}
}
