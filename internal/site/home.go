package site

import (
	"cmp"
	"html/template"
	"strings"
	"time"

	"frontdesk/contract"
)

// home is the home page: the owner's words, how to reach the business, the ask box
// and the services.
func (e *edition) home(now time.Time, asked []string) Page {
	title, text := splitTitle(e.intros[nameHome].Markdown, e.Name)
	if text == "" {
		text = e.Summary
	}
	lead, rest := splitLead(text)
	data := struct {
		Title              string
		LeadHTML, RestHTML template.HTML
		LeadText, RestText string
		Photo              *picture
		Business           business
		Services           []contract.ServiceDetail
		Statements         []string
		Ask                askForm
		Forms              formFacts
		CTA                string
	}{
		title, e.toHTML(lead), e.toHTML(rest), lead, rest, e.site.assets.shown(e.site.Content.Brand.Photo, e.PhotoAlt),
		e.business(now), e.catalog.Details(), e.Statements, e.newAskForm(Asked{}, e.examples(asked)), e.formFacts(), e.invitation(),
	}
	return e.page(view{
		Path: e.path(contract.PathHome), Title: pageTitle(e.Name, title), Description: firstWords(e.Summary),
		Body: e.execute("home", data), Data: e.businessData(),
	}, e.markdown(title, e.executeMarkdown("home", data)))
}

// pageTitle joins the name of the business and the title of the page.
func pageTitle(business, title string) string {
	if strings.Contains(title, business) {
		return title
	}
	return business + " · " + title
}

// requestTitle is the title of the contact page.
func (e *edition) requestTitle() string { return cmp.Or(e.Request, e.t("request.name")) }

// invitation is the label of the button that leads to the form.
func (e *edition) invitation() string { return cmp.Or(e.Request, e.t("answer.write")) }
