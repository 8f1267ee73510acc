package discovery

import (
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Publication holds what the documents are made of, apart from package contract.
type Publication struct {
	Content  *content.Content
	At       Addresses
	Catalog  contract.Catalog // of the same content
	Examples Examples
	Pages    []ListedPage // in the order in which they are listed
	Loaded   time.Time    // when the content was loaded
}

// Examples are requests with the service's real answers, so that the examples of the
// description cannot be wrong.
type Examples struct {
	Requests           SampleRequests
	Answered, Fallback contract.Answer
	Preview            contract.Preview
}

// name, base and workspace occur in every document.
func (p *Publication) name() string      { return p.Content.Business.Name }
func (p *Publication) base() string      { return p.At.Base }
func (p *Publication) workspace() string { return p.At.workspace() }

// workspaceMCP is the endpoint of the workspace's MCP server.
func (p *Publication) workspaceMCP() string { return p.workspace() + contract.PathWorkspaceMCP }

// Documents makes every published document except the pages, by path. One document may
// have several paths.
func Documents(p *Publication) map[string]*Document {
	card := p.serverCard()
	skill := NewDocument(typeMarkdown, p.skill())
	json := func(body []byte) *Document { return NewDocument(contract.TypeJSON, body) }
	text := func(body []byte) *Document { return NewDocument(typeText, body) }
	llms := text(p.llms())
	return map[string]*Document{
		contract.PathCatalog:       CatalogDocument(p.Catalog),
		contract.PathOpenAPI:       json(p.openAPI()),
		contract.PathLLMS:          llms,
		contract.PathLLMSWellKnown: llms,
		contract.PathLLMSFull:      text(p.llmsFull()),
		contract.PathAuthGuide:     NewDocument(typeMarkdown, AuthGuide(p)),
		contract.PathAPICatalog:    p.apiCatalogDocument(),
		contract.PathServerCard:    json(card),
		contract.PathServerCardMCP: NewDocument(contract.TypeServerCard, card),
		contract.PathWorkspaceCard: NewDocument(contract.TypeServerCard, payload.JSON(p.workspaceCard())),
		contract.PathSkills:        json(p.skillIndex(skill)),
		contract.PathSkill:         skill,
		contract.PathAICatalog:     json(p.aiCatalog()),
		contract.PathRobots:        text(p.robots()),
		contract.PathSitemap:       NewDocument(contract.TypeXML+contract.CharsetUTF8, p.sitemap()),
		contract.PathSecurity:      text(p.securityText()),
	}
}

const (
	typeText     = contract.TypeText + contract.CharsetUTF8
	typeMarkdown = contract.TypeMarkdown + contract.CharsetUTF8
)
