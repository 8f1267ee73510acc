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

// field is one of the form of a pilot request.
type field struct {
	Name, Label          string
	Type, Autocomplete   string
	Value, Error         string
	Max                  int // characters; 0 for no bound of its own
	Optional, Area, Wide bool
	Focus                bool // the first field that is wrong
}

// pilotFields are the fields of the form, those that are wrong with an error for people, and the
// error of the request as a whole.
func (e *edition) pilotFields(c Contacted) (fields []field, whole string) {
	r, asksBusiness := c.Request, e.site.Content.AskBusiness
	fields = []field{
		{Name: contract.FieldName, Type: "text", Autocomplete: "name", Value: r.Name, Max: contract.MaxName,
			Wide: !asksBusiness},
		{Name: contract.FieldBusiness, Type: "text", Autocomplete: "organization", Value: r.Business,
			Max: contract.MaxBusiness},
		{Name: contract.FieldEmail, Type: "email", Autocomplete: "email", Value: r.Email},
		{Name: contract.FieldPhone, Type: "tel", Autocomplete: "tel", Value: r.Phone, Optional: true},
		{Name: contract.FieldSegment, Type: "text", Autocomplete: "off", Value: r.Segment, Optional: true, Wide: true},
		{Name: contract.FieldMessage, Value: r.Message, Max: contract.MaxMessage, Area: true, Wide: true},
	}
	if !asksBusiness {
		fields = slices.DeleteFunc(fields, func(f field) bool {
			return f.Name == contract.FieldBusiness || f.Name == contract.FieldSegment
		})
	}
	wrong := 0
	for i := range fields {
		f := &fields[i]
		f.Label = e.t("field." + f.Name)
		if concerns(c.Err, f.Name) {
			f.Error, f.Focus = e.fieldError(f), wrong == 0
			wrong++
		}
	}
	switch {
	case wrong > 1:
		whole = e.t("error.fields")
	case wrong == 0 && c.Err != nil:
		whole = e.formError(c.Err)
	}
	return fields, whole
}

// Contacted is the page /contact.
func (s *Site) Contacted(c Contacted) Page { return s.editionOf(c.Path).contacted(c, time.Now()) }

func (e *edition) contacted(c Contacted, now time.Time) Page {
	title, intro, isOwn := e.title(nameContact, "request.name")
	if isOwn && e.Request != "" {
		title, isOwn = e.Request, false
	}
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
	fields, whole := e.pilotFields(c)
	shown := data{
		"Intro": intro, "Step": step, "Request": c.Request, "Key": c.Key, "Trap": c.Trap,
		"Fields": fields, "Error": whole, "AsksBusiness": e.site.Content.AskBusiness, "NoBusiness": contract.NoBusiness,
		"Preview": c.Preview, "Accepted": c.Accepted, "Problem": problem, "Detail": e.detail(c.Err),
	}
	return e.page(view{
		Plain: contract.PathContactPage, Title: title, IsOwn: isOwn, Description: e.t("contact.about", e.Name), Now: now,
		Template: "contact", Shown: shown,
		ForOne: step > 1 || c.Err != nil || c.Request != (contract.PilotRequest{}),
	}, execute(e.text, "contact.md", shown))
}
