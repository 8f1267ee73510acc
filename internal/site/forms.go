package site

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// askError is the message to a person whose question was refused.
func (e *edition) askError(err *contract.Error, q string) string {
	switch {
	case err.Code != contract.InvalidRequest || len(err.Fields) == 0:
		return e.formError(err)
	case strings.TrimSpace(q) == "":
		return e.t("error.question")
	case utf8.RuneCountInString(q) > contract.MaxQuestion:
		return e.t("error.long", contract.MaxQuestion)
	}
	return e.t("error.characters")
}

// fieldError is the message for a wrong field of the contact form.
func (e *edition) fieldError(f *field) string {
	switch {
	case f.Value == "" && !f.Optional:
		return e.t("error." + f.Name)
	case f.Max > 0 && utf8.RuneCountInString(f.Value) > f.Max:
		return e.t("error.long", f.Max)
	case f.Name == contract.FieldEmail:
		return e.t("error.email")
	}
	return e.t("error.characters")
}

// concerns reports whether an error is about a field.
func concerns(err *contract.Error, field string) bool {
	return err != nil && slices.ContainsFunc(err.Fields, func(f contract.FieldError) bool { return f.Field == field })
}

// formError says why a form was refused when no field is wrong.
func (e *edition) formError(err *contract.Error) string {
	if concerns(err, contract.FieldPreview) {
		return e.t("error.changed")
	}
	switch err.Code {
	case contract.RateLimited:
		return e.t("error.wait", seconds(err))
	case contract.BadGateway:
		return e.t("error.delivery", e.t("preview.send"))
	case contract.InternalError:
		return e.t("error.internal")
	}
	return e.t("error.unreadable")
}

// seconds is how long to wait. It is never one, so that no text needs a singular.
func seconds(err *contract.Error) int { return max(2, int(err.RetryAfter.Seconds())) }

// formFacts are what the Markdown pages say about the forms, for agents, which cannot
// fill one in.
func (e *edition) formFacts() data {
	answered := ""
	if examples := e.examples(nil); len(examples) > 0 {
		answered = examples[0].Question
	}
	return data{
		"Ask": e.site.Catalog.Links.Ask, "Contact": e.site.Catalog.Contact.URL, "FAQ": e.site.Base + e.path(contract.PathFAQ),
		"Question": answered,
	}
}
