package site

import (
	"html/template"
	"time"

	"frontdesk/contract"
)

// answered is an approved entry as the page of questions shows it.
type answered struct {
	ID, Question, Answer string
	URL, Absolute        string // where to read more; empty when there is nothing
}

// faq is the page of every entry that is live at a time. Its Markdown has each
// answer byte for byte (decisions, Answers), so only what is not an answer gets
// absolute links.
func (s *Site) faq(now time.Time) Page {
	title, intro := splitTitle(s.intros[nameFAQ], "Questions and answers")
	var entries []answered
	for i := range s.Content.FAQ.Entries {
		if entry := &s.Content.FAQ.Entries[i]; entry.Live(now) {
			entries = append(entries, answered{
				entry.ID, entry.Question, entry.Answer, entry.URL, s.resolve(entry.URL),
			})
		}
	}
	data := struct {
		Title   string
		Intro   template.HTML
		Ask     askForm
		Entries []answered
	}{title, toHTML(intro), newAskForm(Asked{}, nil), entries}
	return Page{
		HTML: s.frame(view{
			Path: contract.PathFAQ, Title: title, Description: "What people ask " + s.Content.Business.Name + ", with the approved answers.",
			Body: execute("faq", data), Data: faqData(entries),
		}),
		Markdown: []byte("# " + title + "\n\n" + s.pointer() + executeMarkdown("faq", struct {
			Intro, AskURL string
			Entries       []answered
		}{s.absolute(intro), s.Base + contract.PathAsk, entries})),
	}
}

// Changes is the next time at which a page says something else although the content
// stays as it is: when an entry expires. It is zero when there is no such time.
func (s *Site) Changes(now time.Time) time.Time {
	var next time.Time
	for i := range s.Content.FAQ.Entries {
		entry := &s.Content.FAQ.Entries[i]
		if entry.Expires.IsZero() || !entry.Live(now) {
			continue
		}
		if ends := entry.Expires.AddDate(0, 0, 1); next.IsZero() || ends.Before(next) {
			next = ends
		}
	}
	return next
}
