package site

import (
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
	shown := data{
		"Title": title, "LeadHTML": e.toHTML(lead), "RestHTML": e.toHTML(rest), "LeadText": lead, "RestText": rest,
		"Photo": e.site.assets.shown(e.site.Content.Brand.Photo, e.PhotoAlt), "Now": now,
		"Services": e.details(), "Statements": e.Statements, "Forms": e.formFacts(),
		"Ask": askForm{Label: e.t("ask.label"), Examples: e.examples(asked)},
	}
	return e.page(view{
		Plain: contract.PathHome, Title: pageTitle(e.Name, title), Description: firstWords(e.Summary),
		Body: e.execute("home", shown), Data: e.businessData(), Now: now,
	}, e.markdown(title, e.executeMarkdown("home", shown)))
}

// pageTitle joins the name of the business and the title of the page.
func pageTitle(business, title string) string {
	if strings.Contains(title, business) {
		return title
	}
	return business + " · " + title
}
