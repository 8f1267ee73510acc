package routes

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/handlers"
)

// documentRoutes are the documents that describe the service to machines. Those
// that stand under /.well-known, and the server card beside its server, are open
// to pages of any origin (decisions, Origin).
func documentRoutes(api *handlers.API) []Route {
	return []Route{
		document(api, contract.PathOpenAPI, "OpenAPI 3.1 description"),
		document(api, contract.PathLLMS, "what an agent should know first"),
		document(api, contract.PathLLMSFull, "all pages in one file"),
		document(api, contract.PathAuthGuide, "access for agents, as Markdown"),
		document(api, contract.PathRobots, "what crawlers may do"),
		document(api, contract.PathSitemap, "the pages"),

		open(document(api, contract.PathAPICatalog, "API catalog (RFC 9727)")),
		open(document(api, contract.PathServerCard, "card of the website's MCP server"), contract.PathServerCardShort),
		open(document(api, contract.PathServerCardMCP, "the same card beside the server")),
		open(document(api, contract.PathAICatalog, "AI catalog"), contract.PathARD),
		open(document(api, contract.PathSkills, "index of skill documents")),
		open(document(api, contract.PathSkill, "skill document")),
		open(document(api, contract.PathSecurity, "whom to tell of a weakness (RFC 9116)")),
	}
}

func document(api *handlers.API, path, purpose string) Route {
	return Route{Method: http.MethodGet, Path: path, Purpose: purpose, Handler: api.Document(path)}
}

// open lets pages of any origin read a document, and names further paths of it.
func open(route Route, aliases ...string) Route {
	route.AnyOrigin, route.Aliases = true, aliases
	return route
}
