package discovery

import (
	"fmt"
	"net/http"
	"slices"

	"frontdesk/contract"
)

// Contract values under the names that the templates use.
var (
	paths = map[string]string{
		"Health": contract.PathHealth, "Catalog": contract.PathCatalog, "CatalogAlias": contract.PathCatalogAlias,
		"Ask": contract.PathAsk, "AskAlias": contract.PathAskAlias, "Feedback": contract.PathFeedback,
		"Contact": contract.PathContact, "ContactAlias": contract.PathContactAlias,
		"MCP": contract.PathMCP, "WorkspaceMCP": contract.PathWorkspaceMCP,
		"Developers": contract.PathDevelopers, "AuthPage": contract.PathAuthPage, "ContactPage": contract.PathContactPage,
		"OpenAPI": contract.PathOpenAPI, "LLMS": contract.PathLLMS, "LLMSFull": contract.PathLLMSFull,
		"APICatalog": contract.PathAPICatalog, "ServerCard": contract.PathServerCard, "AICatalog": contract.PathAICatalog,
		"Skills": contract.PathSkills, "Skill": contract.PathSkill, "Keys": contract.PathKeyDirectory,
	}
	versions = map[string]any{
		"API": contract.APIVersion, "OpenAPI": contract.OpenAPIVersion, "Description": contract.DescriptionVersion,
		"Notice": contract.NoticeMonths, "MCP": contract.MCPVersions,
	}
	bounds = map[string]int{
		"Question": contract.MaxQuestion, "Name": contract.MaxName, "Business": contract.MaxBusiness,
		"Message": contract.MaxMessage, "Email": contract.MaxEmail, "Comment": contract.MaxComment,
		"Suggestions": contract.MaxSuggestions, "Key": contract.MaxKey, "KeyHours": int(contract.KeyLifetime.Hours()),
	}
	caps = map[string]int{
		"Ask": contract.CapAsk, "Feedback": contract.CapFeedback, "Contact": contract.CapContact, "MCP": contract.CapMCP,
	}
	fields = map[string]string{"Question": contract.FieldQuestion}
)

// Traits of an operation determine the headers of its answers.
const (
	traitV1           = "v1"
	traitAsk          = "ask"
	traitContact      = "contact"
	traitTool         = "tool"
	traitMCP          = "mcp"
	traitUnacceptable = "unacceptable"
)

// traitHeaders maps each trait to its header components by header name. The empty trait
// adds none.
var traitHeaders = map[string]map[string]string{
	"": nil, traitMCP: nil, traitUnacceptable: nil,
	traitV1:      {contract.HeaderAPIVersion: "APIVersion"},
	traitAsk:     {contract.HeaderRateLimitPolicy: "AskPolicy", contract.HeaderRateLimit: "AskRemaining"},
	traitContact: {contract.HeaderRateLimitPolicy: "ContactPolicy", contract.HeaderRateLimit: "ContactRemaining"},
	traitTool:    {contract.HeaderRateLimitPolicy: "ToolPolicy", contract.HeaderRateLimit: "ToolRemaining"},
	"cached":     {"ETag": "ETag", "Cache-Control": "CacheControl"},
	"link":       {"Link": "Link"},
	"signed": {contract.HeaderContentDigest: "ContentDigest", contract.HeaderSignature: "Signature",
		contract.HeaderSignatureInput: "SignatureInput"},
}

// exceeded holds the components of RateLimit on a 429, by trait.
var exceeded = map[string]string{traitAsk: "AskExceeded", traitContact: "ContactExceeded", traitTool: "ToolRemaining"}

type reference map[string]string

func refer(section, name string) reference {
	return reference{"$ref": "#/components/" + section + "/" + name}
}

// headers returns the JSON of the headers of an answer with these traits. Every
// answer has a request id.
func headers(traits ...string) string { return string(compact(headersOf(traits))) }

func headersOf(traits []string) map[string]reference {
	set := map[string]reference{contract.HeaderRequestID: refer("headers", "RequestID")}
	for _, trait := range traits {
		components, ok := traitHeaders[trait]
		if !ok {
			panic("no trait " + trait) // misspelt in a template
		}
		for header, component := range components {
			set[header] = refer("headers", component)
		}
	}
	return set
}

// problem returns a reference to the response for a code on operations with these
// traits, and adds that response to the description.
func (d *description) problem(code contract.Code, traits ...string) string {
	name := string(code)
	for _, trait := range traits {
		if trait != "" {
			name += "_" + trait
		}
	}
	if !d.seen[name] {
		d.seen[name], d.answered[code] = true, true
		d.problems = append(d.problems, problemResponse{name, string(compact(describeProblem(code, traits)))})
	}
	return string(compact(refer("responses", name)))
}

// transportCodes are the codes of refusals by the MCP transport. Such an answer is also
// a JSON-RPC error response (decisions, MCP).
var transportCodes = []contract.Code{contract.InvalidRequest, contract.RateLimited}

func describeProblem(code contract.Code, traits []string) any {
	info := code.Info()
	set, description := headersOf(traits), info.Condition
	for _, trait := range traits {
		switch trait {
		case traitUnacceptable:
			description = "Accept excludes " + contract.TypeJSON + "."
		case traitAsk, traitContact, traitTool:
			if info.Status == http.StatusTooManyRequests {
				set[contract.HeaderRateLimit] = refer("headers", exceeded[trait])
			}
		}
	}
	if info.Status == http.StatusTooManyRequests {
		set[contract.HeaderRetryAfter] = refer("headers", "RetryAfter")
	}
	mcp := slices.Contains(traits, traitMCP)
	media := map[string]any{}
	if mcp && slices.Contains(transportCodes, code) {
		media["schema"] = refer("schemas", "MCPProblem")
	} else {
		media["schema"] = refer("schemas", "Problem")
		media["examples"] = map[string]reference{string(code): refer("examples", string(code))}
	}
	content := map[string]any{contract.TypeProblem: media}
	if mcp {
		content[contract.TypeJSON] = media
	}
	return struct {
		Description string               `json:"description"`
		Headers     map[string]reference `json:"headers"`
		Content     map[string]any       `json:"content"`
	}{fmt.Sprintf("%s: %s", info.Code, description), set, content}
}
