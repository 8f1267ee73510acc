package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"reflect"
	"strings"
	texttemplate "text/template"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

//go:embed templates
var templateFiles embed.FS

// templateBases are the templates with the functions that do not depend on the
// language. The functions of a language are added to a copy.
var (
	htmlBase = template.Must(template.New("").Funcs(functions(nil)).ParseFS(templateFiles, "templates/*.html"))
	textBase = texttemplate.Must(texttemplate.New("").Funcs(functions(nil)).Funcs(texttemplate.FuncMap{
		"cell": cell, "fence": fence, "anchor": contract.ErrorAnchor, "contract": contract.Values,
	}).ParseFS(templateFiles, "templates/*.md"))
)

// functions returns the template functions of a language. With a nil edition they can
// only be parsed, not called.
func functions(e *edition) map[string]any {
	if e == nil {
		e = &edition{}
	}
	return map[string]any{
		"t": e.t, "href": e.path, "price": e.Price, "amount": e.amount, "lowest": e.lowest, "leads": e.linkText, "booking": e.booking, "picture": e.picture, "option": e.option,
		"language": func() string { return e.Language }, "about": about,
		"pair": func(q, cta string) any { return struct{ Q, CTA string }{q, cta} },
	}
}

// about returns the description of a form's field for agents in a browser (WebMCP): the one
// that the schemas of the MCP tools have.
func about(name string) string {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[struct {
		contract.PilotRequest
		contract.Question
	}]()) {
		if json, _, _ := strings.Cut(field.Tag.Get("json"), ","); json == name {
			return field.Tag.Get("jsonschema")
		}
	}
	panic("a form has the unknown field " + name) // every test of the form would find it
}

// execute renders the HTML template of the given name.
func (e *edition) execute(name string, data any) template.HTML {
	var out bytes.Buffer
	if err := e.html.ExecuteTemplate(&out, name+".html", data); err != nil {
		panic(err) // the template and its data are our own
	}
	return template.HTML(out.String()) // html/template has escaped it
}

// executeMarkdown renders the Markdown template of the given name.
func (e *edition) executeMarkdown(name string, data any) string {
	var out strings.Builder
	if err := e.text.ExecuteTemplate(&out, name+".md", data); err != nil {
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
}

// view describes a page to the frame around it.
type view struct {
	Path        string // empty for a page without an address
	Name        string // of the owner's page; the same in all languages
	Title       string
	Description string
	Lang        string // of the body, if it differs from the site's
	Body        template.HTML
	Data        any  // JSON-LD, or nil
	Search      bool // the page has questions to search
}

// page returns a page in all its forms.
func (e *edition) page(v view, markdown []byte) Page {
	page := Page{Language: e.Language, HTML: e.frame(v, nil), Markdown: markdown}
	for _, other := range e.alternates(v) {
		if other.Lang != e.Language {
			if page.Offering == nil {
				page.Offering = map[string][]byte{}
			}
			page.Offering[other.Lang] = e.frame(v, &link{
				Path: other.Path, Lang: other.Lang, Text: i18n.WithTone(other.Lang, e.site.Content.Business.Tone).Text("language.read"),
			})
		}
	}
	return page
}

// frame puts head, navigation and footer around a page. offer links to the same page in
// another language, or is nil.
func (e *edition) frame(v view, offer *link) []byte {
	title := v.Title
	if v.Path != e.path(contract.PathHome) {
		title += " · " + e.Name
	}
	twin := ""
	if v.Path != "" {
		twin = contract.TwinPath(v.Path)
	}
	brand := &e.site.Content.Brand
	return unbroken([]byte(e.execute("frame", struct {
		view
		Title, Twin, Canonical, Language string
		Business                         string
		Navigation, Footer, Alternates   []link
		Offer                            *link
		Style, Script                    string
		Icon                             Asset
		Logo, Card                       *picture
		Catalog                          contract.Catalog
		Address                          []string
		Base                             string
		JSON                             template.JS
		Developers                       bool
	}{
		view: v, Title: title, Twin: twin, Canonical: e.site.Base + v.Path, Language: e.Language,
		Business: e.Name, Navigation: e.navigation(), Footer: e.footer,
		Alternates: e.alternates(v), Offer: offer, Style: e.site.assets.style, Script: e.site.assets.script,
		Icon: e.site.assets.icon, Logo: e.site.assets.shown(brand.Logo, e.LogoAlt), Card: e.site.assets.shown(brand.Card, ""),
		Catalog: e.catalog, Address: addressLines(e.catalog.Address), Base: e.site.Base, JSON: jsonLD(v.Data), Developers: e.site.servesDevelopers(),
	})))
}

// servesDevelopers reports whether pages name what only developers know.
func (s *Site) servesDevelopers() bool {
	brand := &s.Content.Brand
	return brand.Developers || !brand.IsSet && s.Content.AskBusiness
}

// navigation links to the pages that every site has, then to those that the owner puts into
// the header. The developer page is linked only if the business serves developers.
func (e *edition) navigation() []link {
	links := []link{
		{Path: e.path(contract.PathPricing), Text: e.t("nav.pricing")},
		{Path: e.path(contract.PathFAQ), Text: e.t("nav.faq")},
		{Path: e.path(contract.PathContactPage), Text: e.t("nav.contact")},
	}
	for _, page := range e.own {
		if page.Header > 0 {
			links = append(links, link{Path: page.Path(e.site.Content), Text: e.titles[page.Path(e.site.Content)]})
		}
	}
	if e.site.servesDevelopers() {
		links = append(links, link{Path: contract.PathDevelopers, Text: e.t("nav.developers")})
	}
	return links
}

// alternates links to a page in each of its languages, if there are several.
func (e *edition) alternates(v view) []link {
	var links []link
	for _, other := range e.site.editions {
		path := ""
		if v.Name != "" {
			path = other.ownPath(v.Name)
		} else if plain := e.plainPath(v.Path); plain != "" {
			path = other.path(plain)
		}
		if path != "" {
			links = append(links, link{Path: path, Lang: other.Language, Text: other.t("language.name")})
		}
	}
	if len(links) < 2 {
		return nil
	}
	return links
}

// localizedPages are the service's own pages, which every language has.
var localizedPages = []string{
	contract.PathHome, contract.PathPricing, contract.PathFAQ, contract.PathAskPage, contract.PathContactPage,
}

// plainPath returns the path of a page of the service in the first language, or "".
func (e *edition) plainPath(path string) string {
	for _, page := range localizedPages {
		if e.path(page) == path {
			return page
		}
	}
	return ""
}

// ownPath returns the path of an owner's page in this language, or "".
func (e *edition) ownPath(name string) string {
	for _, page := range e.own {
		if page.Name == name {
			return page.Path(e.site.Content)
		}
	}
	return ""
}

// jsonLD encodes data about a page for search engines. encoding/json escapes the
// characters that could end the script element.
func jsonLD(data any) template.JS {
	if data == nil {
		return ""
	}
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // plain maps and strings of our own
	}
	return template.JS(text) // see above
}
