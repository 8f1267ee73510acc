package site

import (
	"fmt"

	"frontdesk/contract"
)

// ErrorPage is the body of an error outside the API, as HTML or as Markdown.
func ErrorPage(problem contract.Problem, mediaType string) []byte {
	source := fmt.Sprintf("# %s\n\n%s\n\n%s\n\n[More about this error](%s)\n",
		problem.Title, problem.Detail, problem.Hint, problem.Type)
	if mediaType == contract.TypeMarkdown {
		return []byte(source)
	}
	return render(problem.Title, source)
}
