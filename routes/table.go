package routes

import (
	"net/http"
	"slices"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/handlers"
)

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// Table lists every operation of the service: section 4 of the contract, then the
// documents for machines and the pages for people. The router, Allow and the golden
// file are made from it.
func Table(api *handlers.API, mcp MCP, limit Limiters) []Route {
	return slices.Concat([]Route{
		{Method: get, Path: contract.PathHealth, Handler: handlers.Health,
			Purpose: "liveness check"},
		{Method: get, Path: contract.PathCatalog, Handler: api.Catalog, Signed: true,
			Purpose: "service and pricing catalog (JSON)", Aliases: []string{contract.PathCatalogAlias}},
		{Method: post, Path: contract.PathAsk, Handler: api.Ask, BodyCap: contract.CapAsk, Limit: limit.Ask, Signed: true,
			Purpose: "answer from approved FAQ text", Aliases: []string{contract.PathAskAlias}},
		{Method: post, Path: contract.PathFeedback, Handler: api.Feedback, BodyCap: contract.CapFeedback, Limit: limit.Ask,
			Purpose: "feedback on an answer"},
		{Method: post, Path: contract.PathContact, Handler: api.Contact, BodyCap: contract.CapContact, Signed: true,
			Purpose: "pilot request or inquiry", Aliases: []string{contract.PathContactAlias},
			TakesSlots: takes(contract.ContactPolicy)},
		{Method: post, Path: contract.PathMCP, Handler: mcp.Website.Serve, BodyCap: contract.CapMCP,
			Purpose: "MCP server of the website", TakesSlots: takes(contract.AskPolicy, contract.ContactPolicy)},
		{Method: post, Path: contract.PathWorkspaceMCP, Optional: true,
			Handler: mcp.Workspace.Serve, BodyCap: contract.CapMCP,
			Purpose: "MCP server of the workspace application", TakesSlots: takes(contract.TrialPolicy)},
		{Method: get, Path: contract.PathKeyDirectory, Handler: api.KeyDirectory, AnyOrigin: true,
			Purpose: "the service's own verification keys"},

		document(api, contract.PathOpenAPI, "OpenAPI 3.1 description"),
		document(api, contract.PathLLMS, "what an agent should know first"),
		document(api, contract.PathLLMSFull, "all pages in one file"),
		document(api, contract.PathAuthGuide, "access for agents, as Markdown"),
		document(api, contract.PathRobots, "what crawlers may do"),
		document(api, contract.PathSitemap, "the pages"),
		openDocument(api, contract.PathLLMSWellKnown, "llms.txt at its well-known path"),
		openDocument(api, contract.PathAPICatalog, "API catalog (RFC 9727)"),
		openDocument(api, contract.PathServerCard, "card of the website's MCP server", contract.PathServerCardShort),
		openDocument(api, contract.PathServerCardMCP, "the same card beside the server"),
		{Method: get, Path: contract.PathWorkspaceCard, Optional: true,
			Handler: api.Document(contract.PathWorkspaceCard),
			Purpose: "card of the workspace's MCP server", AnyOrigin: true},
		openDocument(api, contract.PathAICatalog, "AI catalog", contract.PathARD),
		openDocument(api, contract.PathSkills, "index of skill documents"),
		openDocument(api, contract.PathSkill, "skill document"),
		openDocument(api, contract.PathSecurity, "where to report a vulnerability (RFC 9116)"),
	},
		proof(api, contract.PathRegistryAuth, "proof of the domain for the MCP registry"),
		proof(api, contract.PathAppsChallenge, "proof of the domain for ChatGPT's directory"),
		page(api, contract.PathHome, "home page"),
		page(api, contract.PathPricing, "services and prices"),
		page(api, contract.PathFAQ, "every approved answer"),
		page(api, contract.PathDevelopers, "developer page"),
		page(api, contract.PathAskPage, "form for a question"),
		page(api, contract.PathContactPage, "form for a pilot request"),
		[]Route{
			{Method: get, Path: contract.PathAuthPage, Handler: api.Page(contract.PathAuthPage),
				Purpose: "access for agents"}, // in Markdown: the document /auth.md
		},
		forms(
			Route{Method: post, Path: contract.PathAskPage, Handler: api.AskPage, BodyCap: contract.CapAskPage,
				Purpose: "question from the form", TakesSlots: takes(contract.AskPolicy)},
			Route{Method: post, Path: contract.PathContactPage, Handler: api.ContactPage, BodyCap: contract.CapContactPage,
				Purpose: "pilot request from the form", TakesSlots: takes(contract.ContactPolicy)},
			Route{Method: post, Path: contract.PathFeedbackPage, Handler: api.FeedbackPage, BodyCap: contract.CapAskPage,
				Purpose: "opinion on an answer", TakesSlots: takes(contract.AskPolicy)},
		),
		[]Route{
			{Method: get, Path: content.RouteAsset, Purpose: "style sheet, script and images of the pages"},
			document(api, contract.PathEmbed, "script that puts the desk inside another site"),
			document(api, contract.PathFavicon, "icon of the pages"),
			document(api, contract.PathTouchIcon, "icon for a phone's home screen"),
			{Method: get, Path: handlers.RoutePage, Purpose: "page that the owner wrote"},
			{Method: get, Path: handlers.RouteTranslated, Purpose: "page in another language"},
			{Method: get, Path: handlers.RouteTwin, Purpose: "page that the owner wrote, as Markdown"},
			{Method: get, Path: handlers.RoutePage + "/", Purpose: "page with a slash after its path: leads to the page"},
		})
}

// document is the route of a document for programs.
func document(api *handlers.API, path, purpose string) Route {
	return Route{Method: get, Path: path, Handler: api.Document(path), Purpose: purpose}
}

// openDocument is the route of a document that pages of any origin may read.
func openDocument(api *handlers.API, path, purpose string, aliases ...string) Route {
	return Route{Method: get, Path: path, Handler: api.Document(path), Purpose: purpose, AnyOrigin: true, Aliases: aliases}
}

// proof returns the route of a proof, if the owner has set its text.
func proof(api *handlers.API, path, purpose string) []Route {
	if api.Proofs[path] == "" {
		return nil
	}
	return []Route{openDocument(api, path, purpose)}
}

// page returns the routes of a page for people and of its Markdown form.
func page(api *handlers.API, path, purpose string) []Route {
	return []Route{
		{Method: get, Path: path, Handler: api.Page(path), Purpose: purpose},
		{Method: get, Path: contract.TwinPath(path), Handler: api.Twin(path), Purpose: purpose + ", as Markdown"},
	}
}

// forms returns the routes of forms, then those of the same forms in further languages.
func forms(forms ...Route) []Route {
	translated := slices.Clone(forms)
	for i := range forms {
		forms[i].Purpose += ", answered as a page"
		form := &translated[i]
		form.Path, form.Optional = "/{language}"+form.Path, true
		form.Purpose += " in another language"
	}
	return append(forms, translated...)
}

func takes(policies ...contract.Policy) []contract.Policy { return policies }
