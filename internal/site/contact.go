package site

import (
	"slices"
	"time"

	"frontdesk/contract"
)

// Contacted is the content of the page /contact: the request as it was typed, and its
// preview, its acceptance or the error. The zero value is the empty form.
type Contacted struct {
	Path     string // of the request; it decides the language
	Request  contract.PilotRequest
	Key      string // the idempotency key of the send that follows the preview
	Trap     string // the value of the hidden field, which only programs fill in
	Preview  *contract.Preview
	Accepted *contract.Accepted
	Err      *contract.Error
}

type pilotForm struct {
	Error      string // the error of the request as a whole
	Fields     []field
	NoBusiness string // sent as the business when the form does not ask for it
}

type field struct {
	Name, Label          string
	Type, Autocomplete   string
	Value, Error         string
	Max                  int // characters; 0 for no bound of its own
	Optional, Area, Wide bool
	Focus                bool // the first field that is wrong
}

func (e *edition) newPilotForm(c Contacted) pilotForm {
	r, asksBusiness := c.Request, e.site.Content.AskBusiness
	form := pilotForm{Fields: []field{
		{Name: contract.FieldName, Type: "text", Autocomplete: "name", Value: r.Name, Max: contract.MaxName, Wide: !asksBusiness},
		{Name: contract.FieldBusiness, Type: "text", Autocomplete: "organization", Value: r.Business, Max: contract.MaxBusiness},
		{Name: contract.FieldEmail, Type: "email", Autocomplete: "email", Value: r.Email},
		{Name: contract.FieldPhone, Type: "tel", Autocomplete: "tel", Value: r.Phone, Optional: true},
		{Name: contract.FieldSegment, Type: "text", Autocomplete: "off", Value: r.Segment, Optional: true, Wide: true},
		{Name: contract.FieldMessage, Value: r.Message, Max: contract.MaxMessage, Area: true, Wide: true},
	}}
	if !asksBusiness {
		form.NoBusiness = contract.NoBusiness
		form.Fields = slices.DeleteFunc(form.Fields, func(f field) bool { return f.Name == contract.FieldBusiness || f.Name == contract.FieldSegment })
	}
	for i := range form.Fields {
		form.Fields[i].Label = e.t("field." + form.Fields[i].Name)
	}
	if c.Err != nil {
		e.explain(&form, c.Err)
	}
	return form
}

// explain puts error messages for people beside the fields.
func (e *edition) explain(form *pilotForm, err *contract.Error) {
	placed := 0
	for i := range form.Fields {
		for _, failure := range err.Fields {
			if failure.Field == form.Fields[i].Name {
				form.Fields[i].Error = e.fieldError(&form.Fields[i])
				form.Fields[i].Focus = placed == 0
				placed++
			}
		}
	}
	switch {
	case placed == 0:
		form.Error = e.formError(err)
	case placed > 1:
		form.Error = e.t("error.fields")
	}
}

// Contacted is the page /contact.
func (s *Site) Contacted(c Contacted) Page { return s.editionOf(c.Path).contacted(c, time.Now()) }

func (e *edition) contacted(c Contacted, now time.Time) Page {
	title, intro := splitTitle(e.intros[nameContact].Markdown, e.requestTitle())
	step, problem := 1, "" // why the shown mail could not be sent
	switch {
	case c.Accepted != nil:
		step = 3
	case c.Preview != nil:
		step = 2
	}
	if c.Err != nil && c.Preview != nil {
		problem = e.formError(c.Err)
	}
	shown := data{
		"Title": title, "Source": e.absolute(intro), "Intro": e.toHTML(intro), "Step": step, "Pilot": e.newPilotForm(c), "Request": c.Request, "Key": c.Key, "Trap": c.Trap,
		"Preview": c.Preview, "Accepted": c.Accepted, "Business": e.business(now), "Forms": e.formFacts(), "Problem": problem, "Detail": e.detail(c.Err),
	}
	return e.page(view{
		Plain: contract.PathContactPage, Title: title, Body: e.execute("contact", shown), Description: e.t("contact.about", e.Name),
		ForOne: step > 1 || c.Err != nil || c.Request != (contract.PilotRequest{}),
	}, e.unchanged(title, "contact", shown))
}
