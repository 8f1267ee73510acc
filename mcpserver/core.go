package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/limits"
	"frontdesk/internal/pilot"
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

// Core holds the parts that the tools call: the same core and limits as the HTTP API.
// The servers of all snapshots share one Core.
type Core struct {
	Answers    Answers
	Pilots     Pilots
	Trials     *pilot.Trials
	AskLimit   *limits.Limiter
	ToolErrors string // contract.ToolErrorsContract or contract.ToolErrorsResults
}

// Servers makes the MCP servers of the website and of the workspace application for one snapshot
// of the content; the latter is nil without trials.
func (c *Core) Servers(p *discovery.Publication, documents discovery.Published) (website, workspace *Server) {
	var described struct{ Website, Workspace description }
	if err := json.Unmarshal(discovery.Servers(p), &described); err != nil {
		panic(err) // the document is our own
	}
	list, get := listServices(p.Catalog), getService(p.Catalog)
	registry := newRegistry(p, described.Website, server.WithResourceCapabilities(false, false))
	website = New(registry, p.At.Base, c.ToolErrors, addResources(registry, p.At.Base, documents),
		list, get, c.askFAQ(), c.requestPilot())
	if p.Content.Trials {
		workspace = New(newRegistry(p, described.Workspace), p.At.Base, c.ToolErrors, nil, list, get, c.startTrial())
	}
	return website, workspace
}

// newRegistry returns a registry with the description of a server and its tools. It declares that the lists
// never change: there is no stream on which a client could be notified.
func newRegistry(p *discovery.Publication, of description, options ...server.ServerOption) *server.MCPServer {
	registry := server.NewMCPServer(of.Name, contract.ServerVersion, append(options,
		server.WithTitle(p.Catalog.Name),
		server.WithWebsiteURL(p.At.Base),
		server.WithInstructions(of.Instructions),
		server.WithToolCapabilities(false))...)
	for _, t := range of.Tools {
		t.RawInputSchema, t.RawOutputSchema = t.InputSchema, t.OutputSchema
		t.Annotations.Title = t.Title
		registry.AddTool(t.Tool, nil)
	}
	return registry
}

// description describes a server and its tools (discovery.Servers).
type description struct {
	Name, Instructions string
	Tools              []struct {
		mcp.Tool
		// as they are written; the schemas of mcp.Tool lose the order of members
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
}

// addResources registers the resources of the website (section 4), under the addresses at
// which HTTP serves the same bytes, and returns these. mcp-go reads each once, when the
// answers are prepared.
func addResources(registry *server.MCPServer, baseURL string, documents discovery.Published) (uris []string) {
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
