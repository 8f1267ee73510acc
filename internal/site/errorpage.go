package site

import (
	"fmt"
	"time"

	"frontdesk/contract"
)

// Error is the page of an error outside the API, in the language of the request's path.
// The HTML is worded for people; the Markdown is for agents and repeats the problem
// record.
func (s *Site) Error(path string, err *contract.Error, mediaType string) []byte {
	e := s.editionOf(path)
	problem := err.Problem(s.Base)
	if mediaType == contract.TypeMarkdown {
		return e.markdown(problem.Title, e.linked(fmt.Sprintf("%s %s\n\n[More about this error](%s) · [Home](%s)",
			problem.Detail, problem.Hint, problem.Type, s.Base+contract.PathHome)))
	}
	title, text := e.problemWords(err)
	return e.page(view{
		Title: title, IsOwn: true, Description: text, Now: time.Now(),
		Template: "error", Shown: data{
			"Text": text, "More": problem.Type, "Status": problem.Status, "Code": problem.Code,
			"Ask": askForm{Label: e.t("ask.label")}, "Missing": err.Code == contract.NotFound,
			"Developers": s.servesDevelopers(),
		},
	}, "").HTML
}

// problemWords says what went wrong, worded for people.
func (e *edition) problemWords(err *contract.Error) (title, text string) {
	switch {
	case err.Code == contract.NotFound:
		return e.t("problem.missing.title"), e.t("problem.missing.text")
	case err.Code == contract.RateLimited:
		return e.t("problem.wait.title"), e.t("problem.wait.text", seconds(err))
	case err.Code == contract.PayloadTooLarge:
		return e.t("problem.other.title"), e.t("problem.long.text")
	case err.HTTPStatus() >= 500:
		return e.t("problem.ours.title"), e.t("problem.ours.text")
	}
	return e.t("problem.other.title"), e.t("problem.other.text")
}
