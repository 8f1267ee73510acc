package site

import (
	"html/template"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// answered is an approved entry as the page /faq shows it.
type answered struct {
	ID, Question, Answer string
	URL, Absolute        string // where to read more; may be empty
	Lang                 string // of the texts, if it differs from the page's
}

func (e *edition) answered(entry *content.Entry) *answered {
	return &answered{
		ID: entry.ID, Question: entry.Question, Answer: entry.Answer, URL: entry.URL, Absolute: e.site.resolve(entry.URL),
		Lang: e.foreign(entry),
	}
}

// group is a heading with its entries. The title is empty for entries without one.
type group struct {
	Title   string
	Entries []answered
}

// groups puts the live entries of the language under their headings, in the order in
// which the headings first occur. Entries without a heading come last.
func (e *edition) groups(now time.Time) (groups []group, all []answered) {
	var rest []answered
	index := map[string]int{}
	for i := range e.site.Content.FAQ.Entries {
		entry := &e.site.Content.FAQ.Entries[i]
		if !entry.Live(now) || e.foreign(entry) != "" && !entry.Speaks(e.Language) {
			continue
		}
		shown := *e.answered(entry)
		all = append(all, shown)
		if entry.Group == "" {
			rest = append(rest, shown)
			continue
		}
		at, known := index[entry.Group]
		if !known {
			at = len(groups)
			index[entry.Group] = at
			groups = append(groups, group{Title: entry.Group})
		}
		groups[at].Entries = append(groups[at].Entries, shown)
	}
	if len(rest) > 0 {
		title := ""
		if len(groups) > 0 {
			title = e.t("faq.other")
		}
		groups = append(groups, group{title, rest})
	}
	return groups, all
}

// faq is the page of all entries that are live at now. Its Markdown has each answer byte
// for byte (decisions, Answers), so links are made absolute only outside answers.
func (e *edition) faq(now time.Time) Page {
	title, intro := splitTitle(e.intros[nameFAQ].Markdown, e.t("faq.title"))
	groups, entries := e.groups(now)
	form := e.newAskForm(Asked{}, nil)
	form.Label = e.t("faq.search")
	data := struct {
		Title             string
		Intro             template.HTML
		IntroText, AskURL string
		Ask               askForm
		Groups            []group
		Entries           []answered
		CTA               string
	}{title, e.toHTML(intro), e.absolute(intro), e.site.Base + contract.PathAsk, form, groups, entries, e.invitation()}
	return e.page(view{
		Path: e.path(contract.PathFAQ), Title: title, Description: e.t("faq.about", e.Name),
		Body: e.execute("faq", data), Data: e.faqData(entries), Search: true,
	}, []byte("# "+title+"\n\n"+e.pointer()+e.executeMarkdown("faq", data)))
}

// Changes returns the next time at which a page changes without a change of content,
// because an entry expires, or the business opens or closes. It is zero when nothing does.
func (s *Site) Changes(now time.Time) time.Time {
	next := s.statusChanges(now)
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
