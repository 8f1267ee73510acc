package site

import (
	"fmt"
	"html/template"

	"frontdesk/contract"
)

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

// Contacted is what the page /contact shows: the request as it was typed, and its
// preview, its acceptance or what was wrong. The zero value is the empty form.
type Contacted struct {
	Request  contract.PilotRequest
	Preview  *contract.Preview
	Accepted *contract.Accepted
	Err      *contract.Error
}

// pilotForm is the form of a pilot request.
type pilotForm struct {
	Error  string // what was wrong with the request as a whole
	Fields []field
}

// field is one field of the form.
type field struct {
	Name, Label, Hint    string
	Type, Autocomplete   string
	Value, Error         string
	Optional, Area, Wide bool
}

func newPilotForm(c Contacted) pilotForm {
	r := c.Request
	form := pilotForm{Fields: []field{
		{Name: contract.FieldName, Label: "Your name", Type: "text", Autocomplete: "name", Value: r.Name},
		{Name: contract.FieldBusiness, Label: "Your business", Type: "text", Autocomplete: "organization", Value: r.Business},
		{Name: contract.FieldEmail, Label: "E-mail", Type: "email", Autocomplete: "email", Value: r.Email},
		{Name: contract.FieldPhone, Label: "Phone", Type: "tel", Autocomplete: "tel", Value: r.Phone, Optional: true},
		{Name: contract.FieldSegment, Label: "Line of business", Type: "text", Autocomplete: "off", Value: r.Segment, Optional: true, Wide: true},
		{Name: contract.FieldMessage, Label: "Message", Value: r.Message, Area: true, Wide: true},
	}}
	if c.Err == nil {
		return form
	}
	placed := 0
	for i := range form.Fields {
		for _, failure := range c.Err.Fields {
			if failure.Field == form.Fields[i].Name {
				form.Fields[i].Error = failure.Message
				placed++
			}
		}
	}
	if placed == 0 || placed < len(c.Err.Fields) {
		form.Error = plainError(c.Err)
	}
	return form
}

// plainError is what a person is told of an error; site.js says the same.
func plainError(err *contract.Error) string {
	problem := err.Problem("")
	if err.RetryAfter > 0 {
		return fmt.Sprintf("%s Please wait %d seconds and try again. Nothing you typed is lost.", problem.Detail, int(err.RetryAfter.Seconds()))
	}
	return problem.Detail + " " + problem.Hint
}

// Contacted is the page /contact.
func (s *Site) Contacted(c Contacted) Page {
	title, intro := splitTitle(s.intros[nameContact], "Send a pilot request")
	data := struct {
		Title, Source string
		Intro         template.HTML
		Pilot         pilotForm
		Request       contract.PilotRequest
		Preview       *contract.Preview
		Accepted      *contract.Accepted
		Forms         formFacts
	}{title, s.absolute(intro), toHTML(intro), newPilotForm(c), c.Request, c.Preview, c.Accepted, s.formFacts()}
	return Page{
		HTML: s.frame(view{
			Path: contract.PathContactPage, Title: title, Body: execute("contact", data),
			Description: "Write to " + s.Content.Business.Name + ": a person reads the request and answers by e-mail.",
		}),
		Markdown: []byte("# " + title + "\n\n" + s.pointer() + executeMarkdown("contact", data)),
	}
}

// formFacts are what the Markdown pages say of the forms, for readers that cannot
// fill in one.
type formFacts struct {
	Ask, Contact, FAQ        string // addresses
	Question                 string // one that has an answer
	MaxQuestion, MaxMessage  int
	MaxName, MaxBusiness     int
	AskPolicy, ContactPolicy contract.Policy
}

func (s *Site) formFacts() formFacts {
	facts := formFacts{
		Ask: s.Catalog.Links.Ask, Contact: s.Catalog.Contact.URL, FAQ: s.Catalog.Links.FAQ,
		MaxQuestion: contract.MaxQuestion, MaxMessage: contract.MaxMessage,
		MaxName: contract.MaxName, MaxBusiness: contract.MaxBusiness,
		AskPolicy: contract.AskPolicy, ContactPolicy: contract.ContactPolicy,
	}
	if examples := s.examples(); len(examples) > 0 {
		facts.Question = examples[0].Question
	}
	return facts
}
