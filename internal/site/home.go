package site

import (
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// home is the home page: the owner's words, how to reach the business, the ask box
// and the services.
func (e *edition) home(now time.Time, asked []string) Page {
	title, text := splitTitle(e.intros[content.HomePage].Markdown, e.Name)
	if text == "" {
		text = e.Summary
	}
	lead, rest := splitLead(text)
	shown := data{
		"Lead": lead, "Rest": rest, "Now": now,
		"Photo":    e.site.assets.shown(e.site.Content.Brand.Photo, e.PhotoAlt),
		"Services": e.Details(), "Statements": e.Statements,
		"Ask": askForm{Label: e.t("ask.label"), Examples: e.examples(asked)},
	}
	return e.page(view{
		Plain: contract.PathHome, Title: title, Description: firstWords(e.Summary), Now: now,
		Template: "home", Shown: shown, Data: e.businessData(now),
	}, e.linked(execute(e.text, "home.md", shown)))
}
