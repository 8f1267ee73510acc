package site

import (
	"cmp"
	"context"
	"html/template"
	"net/url"
	"slices"
	"strings"
	texttemplate "text/template"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/payload"
)

// Source holds what the pages are made of.
type Source struct {
	Content *content.Content
	Catalog contract.Catalog // the same content, as callers get it
	Base    string           // the base address, without a final slash
	Origins []string         // of the pages whose requests the service answers
	Auth    string           // the Markdown of /auth.md
	Cache   string           // folder for smaller variants of photos; empty keeps none
}

// Page is one page in all its forms.
type Page struct {
	Path           string // empty for a page without an address
	Title          string
	Language       string
	HTML, Markdown []byte
	// Offering is the HTML with a link to the page in another language, keyed by that
	// language, for readers who prefer it.
	Offering map[string][]byte
}

// Site makes the pages of one content snapshot. It is safe for concurrent use.
type Site struct {
	Source
	assets   *assets
	Zone     *time.Location // of the business
	isTimed  bool           // the owner has said when the business is open, and in which zone
	related  string         // the path of the related questions, by question
	editions []*edition     // one a language; the site's main language is first
}

// edition is the site in one language.
type edition struct {
	content.Edition
	site   *Site
	words  *i18n.Printer
	html   *template.Template
	text   *texttemplate.Template
	intros map[string]content.Page // the owner's text for a page of ours, by the page's name
	own    []content.Page          // the owner's additional pages
	titles map[string]string       // of the pages, by path
	// The tags around a text of the program's own, if it is not in the language of the page; else empty.
	begin, end string
}

// Names of further pages of the content folder that become part of one of the service's pages:
// pricing.md begins the pricing page.
const (
	namePricing    = "pricing"
	nameFAQ        = "faq"
	nameDevelopers = "developers"
	nameContact    = "contact"
)

// New returns the site of a source. It fails when an image is damaged.
func New(source Source) (*Site, error) {
	c := source.Content
	files, err := newAssets(c, source.Cache)
	if err != nil {
		return nil, err
	}
	s := &Site{Source: source, assets: files, Zone: c.Zone(),
		isTimed: c.TimeZone != "" && len(c.Hours)+len(c.SpecialHours) > 0}
	for _, language := range c.Languages() {
		s.editions = append(s.editions, s.newEdition(language))
	}
	related := payload.JSON(s.editions[0].relatedQuestions(time.Now()))
	s.related = files.add(newAsset("related.json", contract.TypeJSON, related))
	return s, nil
}

func (s *Site) newEdition(language string) *edition {
	e := &edition{Edition: s.Content.In(language), site: s, intros: map[string]content.Page{}}
	e.words = i18n.WithTone(e.Tag(), s.Content.Tone)
	e.titles = map[string]string{
		e.path(contract.PathHome): e.Name, e.path(contract.PathPricing): e.t("nav.pricing"),
		e.path(contract.PathFAQ): e.t("faq.title"), e.path(contract.PathAskPage): e.t("ask.title"),
		e.path(contract.PathContactPage): cmp.Or(e.Request, e.t("request.name")),
		contract.PathDevelopers:          e.t("nav.developers"),
	}
	if english := e.words.StandIn(); english != "" {
		e.begin, e.end = `<span lang="`+english+`" dir="ltr">`, "</span>"
	}
	inHTML := *e
	inHTML.words = e.words.ForHTML().AllAlike(pricesOf(e.Bands))
	e.html = template.Must(htmlBase.Clone()).Funcs(functions(&inHTML))
	e.text = texttemplate.Must(textBase.Clone()).Funcs(functions(e))
	for _, page := range s.Content.Pages {
		if cmp.Or(page.Language, s.Content.Language()) != language {
			continue
		}
		switch page.Name {
		case content.HomePage, namePricing, nameFAQ, nameDevelopers, nameContact:
			e.intros[page.Name] = page
		default:
			e.own = append(e.own, page)
			path := page.Path(s.Content)
			e.titles[path], _ = splitTitle(page.Markdown, nameOf(page.Name))
		}
	}
	slices.SortStableFunc(e.own, func(a, b content.Page) int { return cmp.Compare(a.Header, b.Header) })
	return e
}

// t returns a message of the service.
func (e *edition) t(key string, arguments ...any) string { return e.words.Text(key, arguments...) }

// path returns the path of a page in this language.
func (e *edition) path(page string) string { return e.site.Content.LanguagePath(e.Language, page) }

// Language returns the language of the page at a path.
func (s *Site) Language(path string) string { return s.editionOf(path).Language }

// editionOf returns the edition that the address of a request belongs to.
func (s *Site) editionOf(path string) *edition {
	for _, e := range s.editions[1:] {
		if prefix := e.path(contract.PathHome); path == prefix || strings.HasPrefix(path, prefix+"/") {
			return e
		}
	}
	return s.editions[0]
}

// Assets lists the files of the pages.
func (s *Site) Assets() []Asset { return s.assets.all }

// PhoneIcon returns the icon for readers that know only the usual paths of icons.
func (s *Site) PhoneIcon() Asset { return s.assets.phoneIcon }

// Pages returns all pages that stay the same until Changes, by path. asked are the ids of entries, the most asked
// first. Once ctx has ended, the owner's own pages are left out, because each may be slow to render.
func (s *Site) Pages(ctx context.Context, now time.Time, asked ...string) map[string]Page {
	pages := map[string]Page{}
	add := func(page Page) { pages[page.Path] = page }
	for _, e := range s.editions {
		add(e.home(now, asked))
		add(e.pricing(now))
		add(e.faq(now))
		add(e.asked(Asked{}, now, asked))
		add(e.contacted(Contacted{}, now))
		for _, page := range e.own {
			if ctx.Err() != nil {
				return pages
			}
			add(e.prose(page.Path(s.Content), page, now, asked))
		}
	}
	first := s.editions[0]
	add(first.developers(now))
	// Its Markdown is the document /auth.md itself.
	auth := first.prose(contract.PathAuthPage, content.Page{Markdown: s.Auth, Lang: content.English}, now, asked)
	auth.Markdown = []byte(s.Auth)
	add(auth)
	return pages
}

// FormOf returns the path of a form in the first language, or "" if path is not a form.
func (s *Site) FormOf(path string) string {
	e := s.editionOf(path)
	for _, form := range []string{contract.PathAskPage, contract.PathContactPage, contract.PathFeedbackPage} {
		if path == e.path(form) {
			return form
		}
	}
	return ""
}

// prose is a page that consists only of Markdown. Beside a page of the owner's are the ask box and the business.
func (e *edition) prose(path string, page content.Page, now time.Time, asked []string) Page {
	title, rest := splitTitle(page.Markdown, e.titles[path])
	return e.page(view{
		Path: path, Name: page.Name, Title: title, Description: firstWords(rest), Lang: page.Lang, Now: now,
		Template: "prose", Shown: data{
			"Text": rest, "Aside": page.Name != "",
			"Ask": askForm{Label: e.t("ask.label"), Examples: e.examples(asked)},
		},
	}, e.linked(rest))
}

// nameOf is the title of an owner's page without a heading.
func nameOf(page string) string {
	words := strings.ReplaceAll(page, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// linkText names the target of a link: the title of a page of the service, or a host.
func (e *edition) linkText(to string) string {
	target, _, _ := strings.Cut(to, "#")
	for _, other := range append([]*edition{e}, e.site.editions...) {
		if title := other.titles[target]; title != "" {
			return title
		}
	}
	if parsed, err := url.Parse(to); err == nil && parsed.Host != "" {
		return parsed.Host
	}
	return strings.Trim(target, "/")
}
