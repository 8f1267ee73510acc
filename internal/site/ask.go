package site

import "frontdesk/contract"

// Asked is what the page /ask shows: the question as it was typed, and the answer
// or what was wrong. The zero value is the empty form.
type Asked struct {
	Q      string
	Answer *contract.Answer
	Err    *contract.Error
}

// askForm is the box in which a question is typed.
type askForm struct {
	Q, Error string
	Examples []answered
}

func newAskForm(a Asked, examples []answered) askForm {
	form := askForm{Q: a.Q, Examples: examples}
	if a.Err != nil {
		form.Error = plainError(a.Err)
	}
	return form
}

// Asked is the page /ask.
func (s *Site) Asked(a Asked) Page {
	data := struct {
		Ask         askForm
		Answer      *contract.Answer
		Suggestions []answered
		Forms       formFacts
	}{newAskForm(a, nil), a.Answer, s.suggested(a.Answer), s.formFacts()}
	title := "Ask a question"
	return Page{
		HTML: s.frame(view{
			Path: contract.PathAskPage, Title: title, Body: execute("ask", data),
			Description: "Ask " + s.Content.Business.Name + " a question and get the approved answer, word for word.",
		}),
		// The answer is approved text and stays as it is, so its links do, too.
		Markdown: []byte("# " + title + "\n\n" + s.pointer() + executeMarkdown("ask", data)),
	}
}

// exampleCount is how many questions the home page proposes.
const exampleCount = 3

// examples are the first entries that never expire.
func (s *Site) examples() []answered {
	var examples []answered
	for i := range s.Content.FAQ.Entries {
		entry := &s.Content.FAQ.Entries[i]
		if entry.Expires.IsZero() && len(examples) < exampleCount {
			examples = append(examples, answered{ID: entry.ID, Question: entry.Question})
		}
	}
	return examples
}

// suggested finds the entries whose questions an answer suggests, so that the page
// can link their answers.
func (s *Site) suggested(answer *contract.Answer) []answered {
	if answer == nil {
		return nil
	}
	var found []answered
	for _, question := range answer.Suggestions {
		for i := range s.Content.FAQ.Entries {
			if entry := &s.Content.FAQ.Entries[i]; entry.Question == question {
				found = append(found, answered{ID: entry.ID, Question: question, Absolute: s.Base + contract.PathFAQ + "#" + entry.ID})
			}
		}
	}
	return found
}
