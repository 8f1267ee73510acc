package site

import (
	"cmp"
	"embed"
	"html/template"
	"io"
	"slices"
	"strings"
	texttemplate "text/template"
	"time"
	"unicode"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

//go:embed templates
var templateFiles embed.FS

// The templates, with the functions that do not depend on the language. A copy gets the functions of its language.
var (
	htmlBase = template.Must(template.New("").Option("missingkey=error").Funcs(functions(nil)).ParseFS(templateFiles,
		"templates/*.html"))
	textBase = texttemplate.Must(texttemplate.New("").Option("missingkey=error").
			Funcs(functions(nil)).Funcs(map[string]any{
		"cell": cell, "fence": fence, "anchor": contract.ErrorAnchor, "contract": contract.Values,
	}).ParseFS(templateFiles, "templates/*.md"))
)

// functions returns the template functions of a language. With a nil edition they can
// only be parsed, not called.
func functions(e *edition) map[string]any {
	return map[string]any{
		"t": e.marked, "said": e.said, "own": e.ownWords,
		"begin": func() string { return e.begin }, "done": func() string { return e.end },
		"ours": func(text string) any { return template.HTML(text) }, "cta": e.markedInvitation, "rtl": i18n.IsRightToLeft,
		"in": inLanguage, "href": e.path, "leads": e.linkText, "foreign": e.foreign, "absolute": e.resolve, "about": about,
		"links": e.absolute, "rendered": e.toHTML, "language": func() string { return e.Language }, "initial": initial,
		"price": e.Price, "amount": e.amount, "per": e.per, "lowest": e.lowest, "option": e.option, "remarks": e.remarks,
		"business": e.business, "booking": e.booking, "forms": e.formFacts, "picture": e.picture, "offered": e.offered,
	}
}

// initial is the first letter of a name, in place of a picture.
func initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return ""
}

// about returns the description of a form's field for agents in a browser.
func about(name string) string {
	text, isKnown := contract.About[name]
	if !isKnown {
		panic("a form has the unknown field " + name) // every test of the form would find it
	}
	return text
}

// data is what a page shows, by the names in its templates. Each of them must be there.
type data map[string]any

// templates are those of html/template or of text/template.
type templates interface {
	ExecuteTemplate(out io.Writer, name string, data any) error
}

// execute returns the text that a template makes of data.
func execute(from templates, name string, shown data) string {
	var out strings.Builder
	if err := from.ExecuteTemplate(&out, name, shown); err != nil {
		panic(err) // the template and its data are our own
	}
	return out.String()
}

// cell escapes a text for one cell of a Markdown table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// fence returns a line of tildes that does not occur in text, to put around it.
func fence(text string) string {
	line := "~~~"
	for strings.Contains(text, line) {
		line += "~"
	}
	return line
}

// link is an entry of the navigation.
type link struct {
	Path, Text string
	Lang       string // of a link to the page in a language; else empty
	In         string // the language of Text, if it is not the page's
	Current    bool   // it leads to the page that it is on
}

// view describes a page to the frame around it.
type view struct {
	Path        string // empty for a page without an address
	Plain       string // the path in the first language of a page that every language has
	Name        string // of the owner's page; the same in all languages
	Title       string
	IsOwn       bool   // the title is the program's
	Question    string // the one asked, which is the title of the HTML
	Description string
	Lang        string // of the body, if it differs from the site's
	Now         time.Time
	Template    string // of the body
	Shown       data   // in the body; page adds Title, IsOwn and Now, which a Markdown template does not get
	Body        template.HTML
	Data        any  // JSON-LD, or nil; html/template encodes it so that no text of it can end the script element
	Search      bool // the page has questions to search
	ForOne      bool // made for one request: there is no version in another language
}

// page returns a page in all its forms. text is its Markdown below the title.
func (e *edition) page(v view, text string) Page {
	if v.Plain != "" {
		v.Path = e.path(v.Plain)
	}
	v.Shown["Title"], v.Shown["IsOwn"], v.Shown["Now"] = v.Title, v.IsOwn, v.Now
	v.Body = template.HTML(execute(e.html, v.Template+".html", v.Shown)) // html/template has escaped it
	page := Page{
		Path: v.Path, Title: v.Title, Language: e.Language, Offering: map[string][]byte{},
		HTML: e.frame(v, nil), Markdown: e.markdown(e.mark(v.Title, v.IsOwn), text),
	}
	for _, other := range e.alternates(v) {
		if v.ForOne || other.Lang == e.Language {
			continue
		}
		if i18n.Speaks(other.Lang) { // else the name of the language
			other.Text = i18n.WithTone(other.Lang, e.site.Content.Tone).Text("language.read")
		}
		page.Offering[other.Lang] = e.frame(v, &other)
	}
	return page
}

// frame puts head, navigation and footer around a page. offer links to the same page in
// another language, or is nil.
func (e *edition) frame(v view, offer *link) []byte {
	title := cmp.Or(v.Question, v.Title)
	switch {
	case v.Plain != contract.PathHome:
		title += " · " + e.Name
	case !strings.Contains(title, e.Name):
		title = e.Name + " · " + title
	}
	pages, others := e.navigation(v.Path)
	footer := append(pages[:len(pages):len(pages)], others...)
	var rest []link // of the header, behind "More"
	if len(pages) > maxPages {
		pages, rest = pages[:maxPages-1], pages[maxPages-1:]
	}
	brand, files := &e.site.Content.Brand, e.site.assets
	return []byte(execute(e.html, "frame.html", data{
		"Page": v, "Title": title,
		"Base": e.site.Base, "Twin": contract.TwinPath(v.Path), "Alternates": e.alternates(v), "Offer": offer,
		"Style": files.style, "Script": files.script, "Icon": files.icon, "HasIcon": brand.Icon != nil,
		"Logo":         files.shown(brand.Logo, e.LogoAlt),
		"LogoDark":     files.shown(brand.LogoDark, ""),
		"Card":         files.shown(brand.Card, ""),
		"LanguageName": i18n.NameOf(e.Language), "Business": e.Name,
		"Navigation": pages, "Rest": rest, "Footer": footer, "Developers": e.site.servesDevelopers(),
	}))
}

// maxPages is how many entries the header has, "More" among them.
const maxPages = 5

// servesDevelopers reports whether pages name what only developers know.
func (s *Site) servesDevelopers() bool {
	brand := &s.Content.Brand
	return brand.Developers || !brand.IsSet && s.Content.AskBusiness
}

// navigation links to the pages of the header: those that every site has, those that the owner puts there, and the
// developer page if the business serves developers. others are further pages of the owner's. path is the page's own.
func (e *edition) navigation(path string) (pages, others []link) {
	add := func(to *[]link, page, text, lang string) {
		*to = append(*to, link{Path: page, Text: text, In: lang, Current: page == path})
	}
	english := e.words.StandIn()
	add(&pages, e.path(contract.PathPricing), e.t("nav.pricing"), english)
	add(&pages, e.path(contract.PathFAQ), e.t("nav.faq"), english)
	add(&pages, e.path(contract.PathContactPage), e.t("nav.contact"), english)
	for _, page := range e.own {
		to := &pages
		if page.Header == 0 {
			to = &others
		}
		add(to, page.Path(e.site.Content), e.titles[page.Path(e.site.Content)], "")
	}
	if e.site.servesDevelopers() {
		add(&pages, contract.PathDevelopers, e.t("nav.developers"), english)
	}
	return pages, others
}

// alternates links to a page in each of its languages, if there are several.
func (e *edition) alternates(v view) []link {
	var links []link
	for _, other := range e.site.editions {
		path := ""
		if v.Plain != "" {
			path = other.path(v.Plain)
		} else if at := slices.IndexFunc(other.own, func(page content.Page) bool { return page.Name == v.Name }); at >= 0 {
			path = other.own[at].Path(e.site.Content)
		}
		if path != "" {
			links = append(links, link{Path: path, Lang: other.Language, Text: i18n.NameOf(other.Language), Current: other == e})
		}
	}
	if len(links) < 2 {
		return nil
	}
	return links
}
