package contract

// Paths of the published documents (section 1 and the standards of discovery). The
// server card and the AI catalog are served under every path at which readers look for
// them.
const (
	PathLLMS            = "/llms.txt"
	PathLLMSFull        = "/llms-full.txt"
	PathLLMSWellKnown   = "/.well-known/llms.txt" // the same as PathLLMS
	PathAuthGuide       = PathAuthPage + SuffixMarkdown
	PathAPICatalog      = "/.well-known/api-catalog"             // RFC 9727
	PathServerCard      = "/.well-known/mcp/server-card.json"    // SEP-1649
	PathServerCardShort = "/.well-known/mcp.json"                // SEP-1649
	PathServerCardMCP   = PathMCP + "/server-card"               // SEP-2127
	PathWorkspaceCard   = PathWorkspaceMCP + "/server-card"      // SEP-2127, relative to the workspace application
	PathSkills          = "/.well-known/agent-skills/index.json" // Agent Skills Discovery 0.2.0
	PathSkill           = "/.well-known/agent-skills/front-desk/SKILL.md"
	PathAICatalog       = "/.well-known/ai-catalog.json" // AI Catalog 1.0
	PathARD             = "/.well-known/ard.json"        // ARD 0.91, the same document
	PathRobots          = "/robots.txt"                  // RFC 9309
	PathSitemap         = "/sitemap.xml"
	PathSecurity        = "/.well-known/security.txt"          // RFC 9116
	PathRegistryAuth    = "/.well-known/mcp-registry-auth"     // the MCP registry's proof of a domain
	PathAppsChallenge   = "/.well-known/openai-apps-challenge" // the same of ChatGPT's directory
	PathFavicon         = "/favicon.ico"
	PathTouchIcon       = "/apple-touch-icon.png"
)

// Versions of the OpenAPI format and of the description itself (section 9.6).
const (
	OpenAPIVersion     = "3.1.0"
	DescriptionVersion = "1.0.0"
)

// NoticeMonths is how many months before its removal a retired version starts to send
// Deprecation and Sunset (section 9.3).
const NoticeMonths = 6

// Media types of the published documents.
const (
	TypeText       = "text/plain"
	TypeXML        = "text/xml"                         // RFC 7303; generated clients read text types
	TypeLinkset    = "application/linkset+json"         // RFC 9264
	TypeServerCard = "application/mcp-server-card+json" // SEP-2127
)

// CharsetUTF8 follows the media type of every text.
const CharsetUTF8 = "; charset=utf-8"

// Values are the values of this package that published texts name, for their templates.
func Values() map[string]any { return values }

var values = map[string]any{
	"APIVersion": APIVersion, "OpenAPIVersion": OpenAPIVersion, "DescriptionVersion": DescriptionVersion,
	"ServerVersion": ServerVersion, "MCPVersions": MCPVersions, "NoticeMonths": NoticeMonths,
	"AskPolicy": AskPolicy, "ContactPolicy": ContactPolicy, "TrialPolicy": TrialPolicy,
	"CapAsk": CapAsk, "CapFeedback": CapFeedback, "CapContact": CapContact, "CapMCP": CapMCP,
	"MaxQuestion": MaxQuestion, "MaxName": MaxName, "MaxBusiness": MaxBusiness,
	"MaxMessage": MaxMessage, "MaxEmail": MaxEmail, "MaxComment": MaxComment,
	"MaxSuggestions": MaxSuggestions, "MaxKey": MaxKey, "KeyHours": int(KeyLifetime.Hours()),
	"MaxRetryAfter": maxRetryAfter, "Reasons": Reasons,
	"Matches": Matches, "PrivatePerson": PrivatePerson, "About": About,
}
