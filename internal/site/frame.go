package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strings"
	texttemplate "text/template"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

//go:embed templates
var templateFiles embed.FS

// templateBases are the templates with the functions that do not depend on the
// language. The functions of a language are added to a copy.
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
	if e == nil {
		e = &edition{site: &Site{}}
	}
	return map[string]any{
		"t": e.t, "rtl": i18n.IsRightToLeft, "href": e.path, "price": e.Price, "amount": e.amount,
		"per": e.per, "lowest": e.lowest, "leads": e.linkText,
		"business": e.business, "booking": e.booking, "picture": e.picture, "option": e.option, "offered": e.offered,
		"foreign": e.foreign, "absolute": e.site.resolve,
		"language": func() string { return e.Language }, "about": about,
		"pair": func(q, cta string) any { return struct{ Q, CTA string }{q, cta} },
	}
}

// marked is t for HTML: English texts on the page of a language without messages are marked as such. In
// attributes, html/template removes the tags.
func (e *edition) marked(key string, arguments ...any) any {
	text := e.t(key, arguments...)
	if e.words.StandIn() == "" {
		return text
	}
	return template.HTML(fmt.Sprintf(`<span lang="%s" dir="ltr">%s</span>`, e.words.StandIn(), template.HTMLEscapeString(text)))
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

// data is what a page shows, by the names in its templates. Each of them must be there.
type data map[string]any

func (e *edition) execute(name string, shown data) template.HTML {
	var out bytes.Buffer
	if err := e.html.ExecuteTemplate(&out, name+".html", shown); err != nil {
		panic(err) // the template and its data are our own
	}
	return template.HTML(out.String()) // html/template has escaped it
}

func (e *edition) executeMarkdown(name string, shown data) string {
	var out strings.Builder
	if err := e.text.ExecuteTemplate(&out, name+".md", shown); err != nil {
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
}

// view describes a page to the frame around it.
type view struct {
	Path        string // empty for a page without an address
	Plain       string // the path in the first language of a page that every language has
	Name        string // of the owner's page; the same in all languages
	Title       string
	Description string
	Lang        string // of the body, if it differs from the site's
	Body        template.HTML
	Data        any  // JSON-LD, or nil
	Search      bool // the page has questions to search
	ForOne      bool // made for one request: there is no version in another language
}

// page returns a page in all its forms.
func (e *edition) page(v view, markdown []byte) Page {
	page := Page{Language: e.Language, HTML: e.frame(v, nil), Markdown: markdown}
	for _, other := range e.alternates(v) {
		if v.ForOne || other.Lang == e.Language {
			continue
		}
		if page.Offering == nil {
			page.Offering = map[string][]byte{}
		}
		other.Text = i18n.WithTone(other.Lang, e.site.Content.Business.Tone).Text("language.read")
		page.Offering[other.Lang] = e.frame(v, &other)
	}
	return page
}

// frame puts head, navigation and footer around a page. offer links to the same page in
// another language, or is nil.
func (e *edition) frame(v view, offer *link) []byte {
	if v.Plain != "" {
		v.Path = e.path(v.Plain)
	}
	title, twin := v.Title, ""
	if v.Plain != contract.PathHome {
		title += " · " + e.Name
	}
	if v.Path != "" {
		twin = contract.TwinPath(v.Path)
	}
	brand, files := &e.site.Content.Brand, e.site.assets
	return []byte(e.execute("frame", data{
		"Path": v.Path, "Title": title, "Description": v.Description, "Lang": v.Lang, "Body": v.Body, "Search": v.Search,
		"JSON": jsonLD(v.Data),
		"Base": e.site.Base, "Canonical": e.site.Base + v.Path, "Twin": twin, "Alternates": e.alternates(v), "Offer": offer,
		"Style": files.style, "Script": files.script, "Icon": files.icon, "Logo": files.shown(brand.Logo, e.LogoAlt),
		"Card":     files.shown(brand.Card, ""),
		"Language": e.Language, "Business": e.Name, "Address": addressLines(e.catalog.Address), "Catalog": e.catalog,
		"Navigation": e.navigation(), "Footer": e.footer, "Developers": e.site.servesDevelopers(),
	}))
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
		{Path: e.path(contract.PathPricing), Text: e.t("nav.pricing"), In: e.words.StandIn()},
		{Path: e.path(contract.PathFAQ), Text: e.t("nav.faq"), In: e.words.StandIn()},
		{Path: e.path(contract.PathContactPage), Text: e.t("nav.contact"), In: e.words.StandIn()},
	}
	for _, page := range e.own {
		if page.Header > 0 {
			links = append(links, link{Path: page.Path(e.site.Content), Text: e.titles[page.Path(e.site.Content)]})
		}
	}
	if e.site.servesDevelopers() {
		links = append(links, link{Path: contract.PathDevelopers, Text: e.t("nav.developers"), In: e.words.StandIn()})
	}
	return links
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
			links = append(links, link{Path: path, Lang: other.Language, Text: i18n.NameOf(other.Language)})
		}
	}
	if len(links) < 2 {
		return nil
	}
	return links
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
