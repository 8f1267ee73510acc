package discovery

import (
	"slices"

	"strings"

	"frontdesk/contract"
)

// describedDocument is a document in the OpenAPI description.
type describedDocument struct {
	Path, ID, Summary, MediaType string
	Open                         bool   // readable by browser pages of any origin
	Trait                        string // of its headers, in addition to "cached"
}

// SchemaType returns the JSON Schema type of the body.
func (d describedDocument) SchemaType() string {
	if strings.HasSuffix(d.MediaType, "json") {
		return "object"
	}
	return "string"
}

// describedDocuments lists the documents, the most useful to an agent first.
var describedDocuments = []describedDocument{
	{contract.PathOpenAPI, "getOpenAPI", "This description", contract.TypeJSON, false, ""},
	{contract.PathLLMS, "getLLMs", "What an agent needs to know first (llms.txt)", contract.TypeText, false, ""},
	{contract.PathLLMSWellKnown, "getLLMsWellKnown", "llms.txt at its well-known path", contract.TypeText, true, ""},
	{contract.PathLLMSFull, "getLLMsFull", "All pages in one file", contract.TypeText, false, ""},
	{contract.PathAuthGuide, "getAuthGuide", "How an agent gets access: no registration", contract.TypeMarkdown, false, ""},
	{contract.PathAPICatalog, "getAPICatalog", "The APIs and their descriptions (RFC 9727)", contract.TypeLinkset, true, "link"},
	{contract.PathServerCard, "getServerCard", "Card of the website's MCP server", contract.TypeJSON, true, ""},
	{contract.PathServerCardShort, "getServerCardShort", "The same card at a common path", contract.TypeJSON, true, ""},
	{contract.PathServerCardMCP, "getServerCardMCP", "The same card beside the server (SEP-2127)", contract.TypeServerCard, true, ""},
	{contract.PathWorkspaceCard, "getWorkspaceServerCard", "Card of the workspace's MCP server (SEP-2127)", contract.TypeServerCard, true, ""},
	{contract.PathSkills, "getSkills", "Index of the skill documents (Agent Skills)", contract.TypeJSON, true, ""},
	{contract.PathSkill, "getSkill", "Skill document: how to use the front desk", contract.TypeMarkdown, true, ""},
	{contract.PathAICatalog, "getAICatalog", "What an agent can use here (AI Catalog)", contract.TypeJSON, true, ""},
	{contract.PathARD, "getARD", "The same catalog at the path of ARD", contract.TypeJSON, true, ""},
	{contract.PathKeyDirectory, "getKeys", "The service's own keys for signed messages", contract.TypeKeyDirectory, true, "signed"},
	{contract.PathSecurity, "getSecurity", "Where to report a vulnerability (RFC 9116)", contract.TypeText, true, ""},
	{contract.PathRobots, "getRobots", "What crawlers may do (RFC 9309)", contract.TypeText, false, ""},
	{contract.PathSitemap, "getSitemap", "The pages", contract.TypeXML, false, ""},
}

// describedDocuments returns the published documents: without trials there is no card of
// the workspace's server.
func (p *Publication) describedDocuments() []describedDocument {
	return slices.DeleteFunc(slices.Clone(describedDocuments), func(d describedDocument) bool {
		return d.Path == contract.PathWorkspaceCard && !p.Content.Trials
	})
}
