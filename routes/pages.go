package routes

import (
	"net/http"
	"slices"

	"frontdesk/contract"
	"frontdesk/handlers"
)

// pageRoutes are the pages for people and agents, each with its Markdown twin, and
// the two forms, which share core and limits with the API.
func pageRoutes(api *handlers.API, limit Limiters) []Route {
	return slices.Concat(
		page(api, contract.PathHome, "home page"),
		page(api, contract.PathPricing, "services and prices"),
		page(api, contract.PathFAQ, "every approved answer"),
		page(api, contract.PathDevelopers, "developer page"),
		page(api, contract.PathAskPage, "form of a question"),
		page(api, contract.PathContactPage, "form of a pilot request"),
		[]Route{
			// Its twin is the document /auth.md itself.
			{Method: http.MethodGet, Path: contract.PathAuthPage,
				Purpose: "access for agents", Handler: api.Page(contract.PathAuthPage)},
			// The handlers take the slots themselves: a refusal keeps what was typed.
			{Method: http.MethodPost, Path: contract.PathAskPage, Purpose: "question of the form, answered as a page",
				Handler: api.AskPage, BodyCap: contract.CapAskPage, SendLimit: limit.Ask},
			{Method: http.MethodPost, Path: contract.PathContactPage, Purpose: "pilot request of the form, answered as a page",
				Handler: api.ContactPage, BodyCap: contract.CapContactPage, SendLimit: limit.Contact},

			{Method: http.MethodGet, Path: "/assets/{file}", Has: api.HasAsset,
				Purpose: "style sheet, script and icon of the pages", Handler: api.Asset},
			{Method: http.MethodGet, Path: "/{page}", Has: api.HasPage,
				Purpose: "page of the owner's own", Handler: api.OwnPage},
			{Method: http.MethodGet, Path: "/{page}.md", Has: api.HasTwin,
				Purpose: "page of the owner's own, as Markdown", Handler: api.OwnTwin},
		},
	)
}

// page is a page and its twin.
func page(api *handlers.API, path, purpose string) []Route {
	return []Route{
		{Method: http.MethodGet, Path: path, Purpose: purpose, Handler: api.Page(path)},
		{Method: http.MethodGet, Path: contract.TwinPath(path), Purpose: purpose + ", as Markdown", Handler: api.Twin(path)},
	}
}
