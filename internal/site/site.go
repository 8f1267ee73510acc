package site

import (
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// Source is what the pages are made of.
type Source struct {
	Content *content.Content
	Catalog contract.Catalog // the same content, as callers get it
	Base    string           // the base address, without a final slash
	Auth    string           // the Markdown of /auth.md, in which agents are told how to begin
}

// Page is one page in both its forms.
type Page struct {
	HTML, Markdown []byte
}

// Site makes the pages of one content snapshot. It is safe for concurrent use.
type Site struct {
	Source
	intros map[string]string // the owner's text for a page of ours, by the page's name
	own    []content.Page    // the pages that are the owner's alone
	footer []link
}

// Names of the content folder's pages that stand on a page of ours instead of
// being one: home.md is the home page, pricing.md begins the pricing page.
const (
	nameHome       = "home"
	namePricing    = "pricing"
	nameFAQ        = "faq"
	nameDevelopers = "developers"
	nameContact    = "contact"
)

// New returns the site of a source.
func New(source Source) *Site {
	s := &Site{Source: source, intros: map[string]string{}}
	for _, page := range source.Content.Pages {
		switch page.Name {
		case nameHome, namePricing, nameFAQ, nameDevelopers, nameContact:
			s.intros[page.Name] = page.Markdown
		default:
			s.own = append(s.own, page)
			title, _ := splitTitle(page.Markdown, nameOf(page.Name))
			s.footer = append(s.footer, link{Path: "/" + page.Name, Text: title})
		}
	}
	return s
}

// Pages are all pages that stay as they are until Changes, by path.
func (s *Site) Pages(now time.Time) map[string]Page {
	pages := map[string]Page{
		contract.PathHome:        s.home(),
		contract.PathPricing:     s.pricing(),
		contract.PathFAQ:         s.faq(now),
		contract.PathDevelopers:  s.developers(now),
		contract.PathAuthPage:    s.prose(contract.PathAuthPage, s.Auth),
		contract.PathAskPage:     s.Asked(Asked{}),
		contract.PathContactPage: s.Contacted(Contacted{}),
	}
	// Its Markdown is the document /auth.md itself.
	pages[contract.PathAuthPage] = Page{HTML: pages[contract.PathAuthPage].HTML, Markdown: []byte(s.Auth)}
	for _, page := range s.own {
		path := "/" + page.Name
		pages[path] = s.prose(path, page.Markdown)
	}
	return pages
}

// prose is a page that is Markdown and nothing else.
func (s *Site) prose(path, markdown string) Page {
	title, rest := splitTitle(markdown, nameOf(path))
	return Page{
		HTML: s.frame(view{
			Path: path, Title: title, Description: firstWords(rest),
			Body: execute("prose", struct{ HTML any }{toHTML("# " + title + "\n\n" + rest)}),
		}),
		Markdown: s.markdown(title, rest),
	}
}

// nameOf is what a page without a heading is called.
func nameOf(path string) string {
	words := strings.ReplaceAll(strings.Trim(path, "/"), "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
