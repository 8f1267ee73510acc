package site

import (
	"html/template"

	"frontdesk/contract"
)

// home is the home page: the owner's words, the ask box, the services and the
// form of a pilot request.
func (s *Site) home() Page {
	business := s.Content.Business
	title, text := splitTitle(s.intros[nameHome], business.Name)
	if text == "" {
		text = business.Summary
	}
	lead, rest := splitLead(text)
	data := struct {
		Title      string
		Lead, Rest template.HTML
		Services   []contract.ServiceDetail
		Statements []string
		Ask        askForm
		Pilot      pilotForm
	}{
		title, toHTML(lead), toHTML(rest), s.Catalog.Details(), s.Content.Statements,
		newAskForm(Asked{}, s.examples()), newPilotForm(Contacted{}),
	}
	return Page{
		HTML: s.frame(view{
			Path: contract.PathHome, Title: pageTitle(business.Name, title), Description: firstWords(business.Summary),
			Body: execute("home", data), Data: s.businessData(),
		}),
		Markdown: s.markdown(title, executeMarkdown("home", struct {
			Lead, Rest string
			Services   []contract.ServiceDetail
			Statements []string
			Forms      formFacts
		}{lead, rest, data.Services, data.Statements, s.formFacts()})),
	}
}

// pageTitle names the business and what the page says of it.
func pageTitle(business, title string) string {
	if title == business {
		return business
	}
	return business + " · " + title
}
