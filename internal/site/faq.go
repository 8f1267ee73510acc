package site

import (
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// group is a heading with its entries. The title is empty for entries without one.
type group struct {
	Title   string
	IsRest  bool // the entries without a heading: the title is the program's
	Entries []*content.Entry
}

// groups puts the live entries of the language under their headings, in the order in
// which the headings first occur. Entries without a heading come last.
func (e *edition) groups(now time.Time) (groups []group, all []*content.Entry) {
	rest := group{IsRest: true}
	for i := range e.site.Content.FAQ.Entries {
		entry := &e.site.Content.FAQ.Entries[i]
		if !entry.Live(now) || e.foreign(entry) != "" && !entry.Speaks(e.Language) {
			continue
		}
		all = append(all, entry)
		if entry.Group == "" {
			rest.Entries = append(rest.Entries, entry)
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.Title == entry.Group })
		if at < 0 {
			groups, at = append(groups, group{Title: entry.Group}), len(groups)
		}
		groups[at].Entries = append(groups[at].Entries, entry)
	}
	if len(groups) > 0 {
		rest.Title = e.t("faq.other")
	}
	if len(rest.Entries) > 0 {
		groups = append(groups, rest)
	}
	return groups, all
}

// faq is the page of all entries that are live at now. Its Markdown has each answer byte
// for byte (decisions, Answers), so links are made absolute only outside answers.
func (e *edition) faq(now time.Time) Page {
	title, intro, isOwn := e.title(nameFAQ, "faq.title")
	groups, entries := e.groups(now)
	shown := data{
		"Intro": intro, "AskURL": e.site.Base + contract.PathAsk,
		"Ask": askForm{Label: e.t("faq.search")}, "Groups": groups, "Entries": entries,
	}
	return e.page(view{
		Plain: contract.PathFAQ, Title: title, IsOwn: isOwn, Description: e.t("faq.about", e.Name), Now: now,
		Template: "faq", Shown: shown, Data: e.faqData(entries), Search: true,
	}, execute(e.text, "faq.md", shown))
}

// Changes returns the next time at which a page changes without a change of content,
// because an entry expires, or the business opens or closes. It is zero when nothing does.
func (s *Site) Changes(now time.Time) time.Time {
	next := s.statusChanges(now)
	for _, entry := range s.Content.FAQ.Entries {
		if entry.Expires.IsZero() || !entry.Live(now) {
			continue
		}
		if ends := content.EndOf(entry.Expires); next.IsZero() || ends.Before(next) {
			next = ends
		}
	}
	return next
}
