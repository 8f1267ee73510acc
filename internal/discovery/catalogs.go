package discovery

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// linksetProfile is the profile of an api-catalog (RFC 9727, 4.2).
const linksetProfile = `; profile="https://www.rfc-editor.org/info/rfc9727"`

type target struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

// linkContext is one API and its links (RFC 9264, RFC 8631).
type linkContext struct {
	Anchor      string   `json:"anchor"`
	ServiceDesc []target `json:"service-desc,omitempty"`
	ServiceDoc  []target `json:"service-doc"`
	ServiceMeta []target `json:"service-meta,omitempty"`
	Status      []target `json:"status,omitempty"`
}

// apiCatalog is /.well-known/api-catalog (RFC 9727).
func (p *Publication) apiCatalog() []byte {
	base := p.base()
	documentation := []target{
		{base + contract.PathDevelopers, contract.TypeHTML},
		{base + contract.TwinPath(contract.PathDevelopers), contract.TypeMarkdown},
	}
	contexts := []linkContext{
		{
			Anchor:      base + contract.PrefixV1,
			ServiceDesc: []target{{base + contract.PathOpenAPI, contract.TypeJSON}},
			ServiceDoc:  documentation,
			ServiceMeta: []target{
				{base + contract.PathLLMS, contract.TypeText},
				{base + contract.PathAuthGuide, contract.TypeMarkdown},
			},
			Status: []target{{base + contract.PathHealth, contract.TypeJSON}},
		},
		{
			Anchor:      base + contract.PathMCP,
			ServiceDesc: []target{{base + contract.PathServerCardMCP, contract.TypeServerCard}},
			ServiceDoc:  documentation,
		},
	}
	if p.Content.Trials {
		contexts = append(contexts, linkContext{
			Anchor:      p.workspaceMCP(),
			ServiceDesc: []target{{p.workspace() + contract.PathWorkspaceCard, contract.TypeServerCard}},
			ServiceDoc:  documentation,
		})
	}
	return payload.JSON(map[string][]linkContext{"linkset": contexts})
}

// apiCatalogDocument has the Link header that an answer to HEAD must have
// (RFC 9727, 2).
func (p *Publication) apiCatalogDocument() *Document {
	document := NewDocument(contract.TypeLinkset+linksetProfile, p.apiCatalog())
	header := linkHeader(link{"api-catalog", p.base() + contract.PathAPICatalog, contract.TypeLinkset})
	document.Header = map[string][]string{"Link": {header}}
	return document
}

// catalogEntry is one resource for agents (AI Catalog 1.0, ARD), at URL or embedded as
// Data.
type catalogEntry struct {
	Identifier  string   `json:"identifier"`
	DisplayName string   `json:"displayName"`
	Type        string   `json:"type"`
	URL         string   `json:"url,omitempty"`
	Data        *card    `json:"data,omitempty"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Version     string   `json:"version"`
	Queries     []string `json:"representativeQueries"`
}

type aiCatalog struct {
	SpecVersion string         `json:"specVersion"`
	Host        aiHost         `json:"host"`
	Entries     []catalogEntry `json:"entries"`
}

type aiHost struct {
	DisplayName      string `json:"displayName"`
	DocumentationURL string `json:"documentationUrl"`
}

// aiCatalog is /.well-known/ai-catalog.json and /.well-known/ard.json. It embeds the
// card of the workspace's server, because that server may be on another host.
func (p *Publication) aiCatalog() []byte {
	website, workspace := p.websiteCard(), p.workspaceCard()
	identifier := func(kind, name string) string { return "urn:air:" + publisher(p.base()) + ":" + kind + ":" + name }
	entries := []catalogEntry{
		{
			Identifier: identifier("mcp", WebsiteServer), DisplayName: p.name(), Type: contract.TypeServerCard,
			URL: p.base() + contract.PathServerCardMCP, Description: website.Description, Tags: []string{"mcp"}, Version: website.Version,
			Queries: []string{"What does " + p.name() + " offer?", "What does it cost?", "Write to " + p.name()},
		},
		{
			Identifier: identifier("api", "v"+contract.APIVersion), DisplayName: p.name() + ", HTTP API", Type: contract.TypeOpenAPI,
			URL: p.base() + contract.PathOpenAPI, Description: "OpenAPI description of the catalog, the answers and the pilot requests",
			Tags: []string{"openapi"}, Version: contract.DescriptionVersion,
			Queries: []string{"Services and prices of " + p.name() + " as JSON", "Ask " + p.name() + " a question"},
		},
		{
			Identifier: identifier("skill", contract.SkillName), DisplayName: p.name() + ", skill", Type: contract.TypeSkill,
			URL: p.base() + contract.PathSkill, Description: p.skillDescription(), Tags: []string{"skill"}, Version: contract.DescriptionVersion,
			Queries: []string{"How do I use the front desk of " + p.name() + "?", "Get in touch with " + p.name()},
		},
	}
	if p.Content.Trials {
		entries = slices.Insert(entries, 1, catalogEntry{
			Identifier: identifier("mcp", WorkspaceServer), DisplayName: p.name() + ", trials", Type: contract.TypeServerCard,
			Data: &workspace, Description: workspace.Description, Tags: []string{"mcp"}, Version: workspace.Version,
			Queries: []string{"Start a trial with " + p.name(), "Try " + p.name() + " for free"},
		})
	}
	return payload.JSON(aiCatalog{
		SpecVersion: "1.0",
		Host:        aiHost{p.name(), p.base() + contract.PathDevelopers},
		Entries:     entries,
	})
}

func (p *Publication) skillDescription() string {
	return "Use the public front desk of " + p.name() + ": services and prices, approved answers, pilot requests."
}

const skillsSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

type skillEntry struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Digest      string `json:"digest"`
}

// skillIndex is /.well-known/agent-skills/index.json. The digest is that of the
// bytes that are served.
func (p *Publication) skillIndex(skill *Document) []byte {
	sum := sha256.Sum256(skill.Body.Bytes)
	return payload.JSON(struct {
		Schema string       `json:"$schema"`
		Skills []skillEntry `json:"skills"`
	}{skillsSchema, []skillEntry{{
		Name: contract.SkillName, Type: "skill-md",
		Description: p.skillDescription(),
		URL:         contract.PathSkill,
		Digest:      "sha256:" + hex.EncodeToString(sum[:]),
	}}})
}
