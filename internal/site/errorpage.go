package site

import (
	"fmt"

	"frontdesk/contract"
)

// Error is the page of an error outside the API, as HTML or as Markdown.
func (s *Site) Error(problem contract.Problem, mediaType string) []byte {
	if mediaType == contract.TypeMarkdown {
		return s.markdown(problem.Title, fmt.Sprintf("%s %s\n\n[More about this error](%s) · [Home](%s)\n",
			problem.Detail, problem.Hint, problem.Type, s.Base+contract.PathHome))
	}
	return s.frame(view{Title: problem.Title, Description: problem.Detail, Body: execute("error", problem)})
}
