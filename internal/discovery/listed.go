package discovery

import "frontdesk/contract"

// describedDocument is a document as the OpenAPI description lists it.
type describedDocument struct {
	Path, ID, Summary, MediaType string
	Open                         bool   // pages of any origin may read it
	Trait                        string // of its headers, beside those of every cached answer
}

// SchemaType is what the body is to a reader of the description.
func (d describedDocument) SchemaType() string {
	switch d.MediaType {
	case contract.TypeText, contract.TypeMarkdown, contract.TypeXML:
		return "string"
	}
	return "object"
}

// describedDocuments are the documents of the description, the ones that matter
// most to an agent first.
var describedDocuments = []describedDocument{
	{contract.PathOpenAPI, "getOpenAPI", "This description", contract.TypeJSON, false, ""},
	{contract.PathLLMS, "getLLMs", "What an agent should know first (llms.txt)", contract.TypeText, false, ""},
	{contract.PathLLMSFull, "getLLMsFull", "All pages in one file", contract.TypeText, false, ""},
	{contract.PathAuthGuide, "getAuthGuide", "How an agent gets access: there is nothing to register", contract.TypeMarkdown, false, ""},
	{contract.PathAPICatalog, "getAPICatalog", "The APIs and what describes them (RFC 9727)", contract.TypeLinkset, true, "link"},
	{contract.PathServerCard, "getServerCard", "Card of the website's MCP server", contract.TypeJSON, true, ""},
	{contract.PathServerCardShort, "getServerCardShort", "The same card where others look", contract.TypeJSON, true, ""},
	{contract.PathServerCardMCP, "getServerCardMCP", "The same card beside the server (SEP-2127)", contract.TypeServerCard, true, ""},
	{contract.PathSkills, "getSkills", "Index of the skill documents (Agent Skills)", contract.TypeJSON, true, ""},
	{contract.PathSkill, "getSkill", "Skill document: how to use the front desk", contract.TypeMarkdown, true, ""},
	{contract.PathAICatalog, "getAICatalog", "What an agent can use here (AI Catalog)", contract.TypeJSON, true, ""},
	{contract.PathARD, "getARD", "The same catalog where others look (ARD)", contract.TypeJSON, true, ""},
	{contract.PathKeyDirectory, "getKeys", "The service's own keys for signed messages", contract.TypeKeyDirectory, true, "signed"},
	{contract.PathSecurity, "getSecurity", "Whom to tell of a weakness (RFC 9116)", contract.TypeText, true, ""},
	{contract.PathRobots, "getRobots", "What crawlers may do (RFC 9309)", contract.TypeText, false, ""},
	{contract.PathSitemap, "getSitemap", "The pages", contract.TypeXML, false, ""},
}
