// Package discovery builds the published documents from content, contract and base
// address, and keeps them in the form in which they are sent.
package discovery

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Publication holds what the documents are made of, apart from package contract.
type Publication struct {
	Content *content.Content
	At      Addresses
	Catalog contract.Catalog // of the same content
	Pages   []ListedPage     // in the order in which they are listed
	Loaded  time.Time
	Now     time.Time // the examples are of entries that are live now
	// Ask and Preview answer the requests of the description's examples as the service does, so that the examples cannot
	// be wrong.
	Ask     func(q string) contract.Answer
	Preview func(contract.PilotRequest) contract.Preview
	// Proofs are texts by which directories see that the domain is the owner's, by path. An
	// empty one is not published.
	Proofs map[string]string
}

const (
	typeText     = contract.TypeText + contract.CharsetUTF8
	typeMarkdown = contract.TypeMarkdown + contract.CharsetUTF8
)

// Documents makes every published document except the pages, by path. One document may
// have several paths.
func Documents(p *Publication) map[string]*Document {
	data := p.data()
	text := func(mediaType, source string) *Document { return NewDocument(mediaType, render(source, data)) }
	json := func(mediaType, source string) *Document { return NewDocument(mediaType, renderJSON(source, data)) }

	llms, skill := text(typeText, "llms.md"), text(typeMarkdown, "skill.md")
	data["SkillDigest"] = fmt.Sprintf("%x", sha256.Sum256(skill.Body.Bytes))
	apis := json(contract.TypeLinkset+linksetProfile, "api-catalog.json")
	apis.Header = map[string][]string{"Link": {p.At.apiCatalogLink()}}
	documents := map[string]*Document{
		contract.PathCatalog:       NewDocument(contract.TypeJSON, payload.JSON(p.Catalog)),
		contract.PathOpenAPI:       NewDocument(contract.TypeJSON, p.openAPI()),
		contract.PathLLMS:          llms,
		contract.PathLLMSWellKnown: llms,
		contract.PathLLMSFull:      NewDocument(typeText, p.llmsFull(llms.Body.Bytes)),
		contract.PathAuthGuide:     text(typeMarkdown, "auth.md"),
		contract.PathAPICatalog:    apis,
		contract.PathServerCard:    json(contract.TypeJSON, "server-card.json"),
		contract.PathServerCardMCP: json(contract.TypeServerCard, "server-card.json"),
		contract.PathSkills:        json(contract.TypeJSON, "skills.json"),
		contract.PathSkill:         skill,
		contract.PathAICatalog:     json(contract.TypeJSON, "ai-catalog.json"),
		contract.PathRobots:        text(typeText, "robots.txt"),
		contract.PathSitemap:       text(contract.TypeXML+contract.CharsetUTF8, "sitemap.xml"),
		contract.PathSecurity:      text(typeText, "security.txt"),
	}
	if p.Content.Trials {
		documents[contract.PathWorkspaceCard] = json(contract.TypeServerCard, "workspace-card.json")
	}
	for path, proof := range p.Proofs {
		if proof != "" {
			documents[path] = NewDocument(typeText, []byte(proof))
		}
	}
	return documents
}

// AuthGuide is /auth.md, and the Markdown of the page /auth.
func AuthGuide(p *Publication) []byte { return render("auth.md", p.data()) }

// linksetProfile is the profile of an api-catalog (RFC 9727, 4.2).
const linksetProfile = `; profile="https://www.rfc-editor.org/info/rfc9727"`

// securityLife is how long security.txt is valid from the day on which it is made; RFC
// 9116 2.5.5 advises less than a year.
const securityLife = 360 * 24 * time.Hour

// data is what the templates of the documents are filled in with.
func (p *Publication) data() map[string]any {
	request, pilot := requestName(p.Content), "pilot request"
	if request != "" {
		pilot = "request"
	}
	return map[string]any{
		"Name": p.Content.Name, "Summary": strings.Join(strings.Fields(p.Content.Summary), " "),
		"Base": p.At.Base, "Workspace": p.At.workspace(), "WorkspaceMCP": p.At.workspace() + contract.PathWorkspaceMCP,
		"Pages": p.Pages, "Catalog": &p.Catalog,
		"Request": request, "Pilot": pilot, "Trials": p.Content.Trials,
		"Title": short(p.Content.Name, "Front desk"), "WebsiteCard": p.websiteCard(), "WorkspaceCard": p.workspaceCard(),
		"Publisher": publisher(p.At.Base), "Languages": p.Content.Languages(), "Signal": p.Content.ContentSignal,
		"Expires": p.Loaded.UTC().Truncate(24 * time.Hour).Add(securityLife).Format(time.RFC3339),
	}
}

// requestName returns what the owner calls a pilot request, in English if the pages are in
// English too; empty where the contract's name will do.
func requestName(c *content.Content) string {
	name := c.Request
	if slices.Contains(c.Languages()[1:], content.English) {
		name = c.In(content.English).Request
	}
	if strings.EqualFold(name, "pilot request") {
		return ""
	}
	return name
}

// llmsFull is /llms-full.txt: llms.txt and then every page.
func (p *Publication) llmsFull(llms []byte) []byte {
	out := bytes.Clone(bytes.TrimSpace(llms))
	for _, page := range p.Pages {
		out = append(out, "\n\n---\n\nSource: "+p.At.Base+page.Path+"\n\n"...)
		out = append(out, bytes.TrimSpace(page.Markdown)...)
	}
	return append(out, '\n')
}

// ListedPage is a page in the lists of the documents.
type ListedPage struct {
	Path     string
	Title    string
	About    string // one line; empty for an owner's page
	Markdown []byte
	base     string // the path without the language
	rank     int    // the place among the known pages, or the place after them
}

// known are the pages that every service has, the most useful to an agent first.
var known = []struct{ path, about string }{
	{contract.PathHome, "what is offered, in short"},
	{contract.PathDevelopers, "every endpoint, field, limit and error, with examples, and how to connect by MCP"},
	{contract.PathPricing, "services and prices"},
	{contract.PathFAQ, "every approved question and answer"},
	{contract.PathAuthPage, "there is nothing to register: how an agent gets access"},
}

// ListPages puts the pages of the site in order: the known ones, then the owner's by
// path, each in the first language and then in the others. Pages that are only a form are not
// listed.
func ListPages(pages map[string]*Page) []ListedPage {
	var listed []ListedPage
	for path, page := range pages {
		base := withoutLanguage(path, page.Language)
		if base == contract.PathAskPage || base == contract.PathContactPage {
			continue
		}
		entry := ListedPage{Path: path, Title: page.Title, Markdown: page.Markdown.Body.Bytes, base: base, rank: len(known)}
		for rank, page := range known {
			if page.path == base {
				entry.About, entry.rank = page.about, rank
			}
		}
		listed = append(listed, entry)
	}
	slices.SortFunc(listed, func(a, b ListedPage) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.base, b.base),
			cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	return listed
}

// withoutLanguage returns the path of a page in the first language: /faq for /en/faq.
func withoutLanguage(path, language string) string {
	if rest, ok := strings.CutPrefix(path+"/", "/"+strings.ToLower(language)+"/"); ok {
		return "/" + strings.TrimSuffix(rest, "/")
	}
	return path
}
