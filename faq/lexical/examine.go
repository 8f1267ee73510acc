package lexical

import "frontdesk/content"

// Question is a question whose entry is known by its place, or -1 for none.
type Question struct {
	Text    string
	Entry   int
	Foreign bool // the subject is none of the content's
}

// Examine asks questions of content and gives what was made of them, weighed. Without
// dense, as in content that is too large for trained scores.
func Examine(entries []content.Entry, strangers []string, questions []Question, background *Background, dense bool) []Example {
	largest := 0
	if dense {
		largest = denseSize
	}
	asked := make([]wording, len(questions))
	for i, q := range questions {
		asked[i] = wording{q.Text, int32(q.Entry)}
	}
	examples := newIndex(entries, wordings(entries, strangers), background, largest).examples(asked)
	for i := range examples {
		examples[i].Foreign = questions[examples[i].asked].Foreign
	}
	balance(examples)
	return examples
}
