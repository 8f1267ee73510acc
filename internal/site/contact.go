package site

import (
	"html/template"

	"frontdesk/contract"
)

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
