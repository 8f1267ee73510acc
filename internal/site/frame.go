package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"strings"
	texttemplate "text/template"

	"frontdesk/contract"
)

//go:embed templates
var templateFiles embed.FS

var (
	htmlTemplates = template.Must(template.New("").Funcs(template.FuncMap{
		"amount": amount, "priceFrom": amountFrom,
	}).ParseFS(templateFiles, "templates/*.html"))
	markdownTemplates = texttemplate.Must(texttemplate.New("").Funcs(texttemplate.FuncMap{
		"price": Price, "cell": cell, "fence": fence, "anchor": contract.ErrorAnchor, "header": contract.Policy.Header,
	}).ParseFS(templateFiles, "templates/*.md"))
)

// execute renders the HTML template of the given name.
func execute(name string, data any) template.HTML {
	var out bytes.Buffer
	if err := htmlTemplates.ExecuteTemplate(&out, name+".html", data); err != nil {
		panic(err) // the template and its data are our own
	}
	return template.HTML(out.String()) //nolint:gosec // html/template has escaped it
}

// executeMarkdown renders the Markdown template of the given name.
func executeMarkdown(name string, data any) string {
	var out strings.Builder
	if err := markdownTemplates.ExecuteTemplate(&out, name+".md", data); err != nil {
		panic(err) // the template and its data are our own
	}
	return out.String()
}

// cell makes a text fit for one cell of a Markdown table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// fence is a line of tildes that text does not hold, to put around it.
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
	Current    bool
}

// navigation is the way to the pages that every site has.
var navigation = []link{
	{Path: contract.PathPricing, Text: "Pricing"},
	{Path: contract.PathFAQ, Text: "Questions"},
	{Path: contract.PathContactPage, Text: "Contact"},
	{Path: contract.PathDevelopers, Text: "Developers"},
}

// view is what the frame around a page needs to know of it.
type view struct {
	Path        string // empty for a page without an address of its own
	Title       string
	Description string
	Body        template.HTML
	Data        any // JSON-LD, or nil
}

// frame puts head, navigation and footer around a page.
func (s *Site) frame(v view) []byte {
	title := v.Title
	if v.Path != contract.PathHome {
		title += " · " + s.Content.Business.Name
	}
	return []byte(execute("frame", struct {
		view
		Title, Twin, Canonical, Language string
		Business                         string
		Navigation, Footer               []link
		Assets                           assetPaths
		JSON                             template.JS
	}{
		view: v, Title: title, Twin: twinOf(v.Path), Canonical: s.Base + v.Path, Language: s.language(),
		Business: s.Content.Business.Name, Navigation: current(navigation, v.Path), Footer: current(s.footer, v.Path),
		Assets: paths, JSON: jsonLD(v.Data),
	}))
}

func twinOf(path string) string {
	if path == "" {
		return ""
	}
	return contract.TwinPath(path)
}

// current marks where the reader is.
func current(links []link, path string) []link {
	marked := make([]link, len(links))
	for i, l := range links {
		l.Current = l.Path == path
		marked[i] = l
	}
	return marked
}

// language is that of the owner's texts, which are most of a page.
func (s *Site) language() string {
	if languages := s.Content.Business.Languages; len(languages) > 0 {
		return languages[0]
	}
	return "en"
}

// jsonLD encodes data about a page for search engines. encoding/json escapes what
// could end the script element.
func jsonLD(data any) template.JS {
	if data == nil {
		return ""
	}
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // plain maps and strings of our own
	}
	return template.JS(text) //nolint:gosec // see above
}
