package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/limits"
)

// Answers answers questions from approved text.
type Answers interface {
	Ask(ctx context.Context, q string) contract.Answer
}

// Pilots takes pilot requests.
type Pilots interface {
	Preview(request contract.PilotRequest) contract.Preview
	Send(ctx context.Context, request contract.PilotRequest, key contract.IdempotencyKey) (contract.Accepted,
		limits.Decision, error)
}

// Trials starts trials.
type Trials interface {
	Preview(request contract.TrialRequest) contract.TrialPreview
	Start(ctx context.Context, request contract.TrialRequest, key contract.IdempotencyKey) (contract.Trial,
		limits.Decision, error)
}

// Core holds the parts that the tools call: the same core and limits as the HTTP API.
// The servers of all snapshots share one Core.
type Core struct {
	Answers    Answers
	Pilots     Pilots
	Trials     Trials
	AskLimit   *limits.Limiter
	ToolErrors string // contract.ToolErrorsContract or contract.ToolErrorsResults
}

// Website makes the MCP server of the website for one snapshot of the content, which is
// in the given languages, the catalog in the first. The owner's name for a pilot request
// may be empty.
func (c *Core) Website(catalog contract.Catalog, languages []string, request string, documents Documents) *Server {
	instructions := fmt.Sprintf(`%s: prices, approved answers, and a person who answers messages. %s
1. Question on one topic: ask_faq. Give approved text unchanged; never fill a gap.
2. Prices: get_service for one service, list_services for all.
3. %s, or no answer: request_pilot with dry_run; send only after the user's clear yes.
4. At a limit, wait the seconds that the error names.`, catalog.Name, contentIn(languages),
		named("Contact", request, "Contact, a pilot"))
	if workspace := catalog.Links.Workspace(); workspace != "" {
		instructions += "\n5. A trial starts at the workspace server: " + workspace
	}
	registry := newRegistry(discovery.ServerName(catalog.Links.MCP, discovery.WebsiteServer), catalog,
		server.WithInstructions(instructions), server.WithResourceCapabilities(false, false))
	return New(registry, catalog.URL, c.ToolErrors, addResources(registry, catalog.URL, documents),
		listServices(catalog, languages), getService(catalog, languages), c.askFAQ(languages), c.requestPilot(request))
}

// Workspace makes the MCP server of the workspace application for one snapshot of
// the content.
func (c *Core) Workspace(catalog contract.Catalog, languages []string, request string) *Server {
	registry := newRegistry(discovery.ServerName(catalog.Links.Workspace(), discovery.WorkspaceServer), catalog,
		server.WithInstructions(fmt.Sprintf(`%s: free trials in a draft workspace. %s
1. Services and prices: get_service for one, list_services for all.
2. Trial: start_trial with dry_run; start it only after the user's clear yes.
3. At a limit, wait the seconds that the error names.
4. Questions and %s: the website's server, %s`, catalog.Name, contentIn(languages),
			named("requests", request, "pilot requests"), catalog.Links.MCP)))
	return New(registry, catalog.URL, c.ToolErrors, nil, listServices(catalog, languages), getService(catalog, languages),
		c.startTrial())
}

// named returns what a pilot request is, with the owner's name for it; otherwise without one.
func named(what, request, otherwise string) string {
	if request == "" {
		return otherwise
	}
	return fmt.Sprintf("%s (“%s”)", what, request)
}

// newRegistry names a server and declares that its lists never change: there is no
// stream on which a client could be notified.
func newRegistry(name string, catalog contract.Catalog, options ...server.ServerOption) *server.MCPServer {
	return server.NewMCPServer(name, contract.ServerVersion, append(options,
		server.WithTitle(catalog.Name),
		server.WithWebsiteURL(catalog.URL),
		server.WithToolCapabilities(false))...)
}

// Documents returns the documents and pages of one snapshot of the content by path.
type Documents interface {
	Document(path string) *discovery.Document
	Page(path string) *discovery.Page
}

// addResources registers the resources of the website (section 4), under the addresses at
// which HTTP serves the same bytes, and returns these. mcp-go reads each once, when the
// answers are prepared.
func addResources(registry *server.MCPServer, baseURL string, documents Documents) (uris []string) {
	for _, r := range []struct {
		path, name, description string
		document                *discovery.Document
	}{
		{contract.PathLLMS, contract.ResourceLLMS,
			"The guide for language models: what this service is and where everything is.",
			documents.Document(contract.PathLLMS)},
		{contract.PathOpenAPI, contract.ResourceOpenAPI, "The OpenAPI description of the HTTP API.",
			documents.Document(contract.PathOpenAPI)},
		{contract.PathCatalogAlias, contract.ResourceAgents, "The catalog: services, prices, how to get in touch.",
			documents.Document(contract.PathCatalog)},
		{contract.PathPricing, contract.ResourcePricing, "The prices, as Markdown.",
			documents.Page(contract.PathPricing).Markdown},
		{contract.PathDevelopers, contract.ResourceDevelopers,
			"The developer page, as Markdown: endpoints, bounds, limits and errors.",
			documents.Page(contract.PathDevelopers).Markdown},
	} {
		uri := baseURL + r.path
		mediaType, _, _ := strings.Cut(r.document.ContentType, ";")
		contents := []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: mediaType,
			Text: string(r.document.Body.Bytes)}}
		registry.AddResource(
			mcp.NewResource(uri, r.name, mcp.WithResourceDescription(r.description), mcp.WithMIMEType(mediaType)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { return contents, nil })
		uris = append(uris, uri)
	}
	return uris
}
