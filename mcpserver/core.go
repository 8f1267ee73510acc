package mcpserver

import (
	"context"
	"fmt"

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
	CheckPreview(request contract.PilotRequest) error
	Send(ctx context.Context, request contract.PilotRequest, key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error)
}

// Trials starts trials.
type Trials interface {
	Preview(request contract.TrialRequest) contract.TrialPreview
	Start(ctx context.Context, request contract.TrialRequest, key contract.IdempotencyKey) (contract.Trial, limits.Decision, error)
}

// Core holds the parts that the tools call: the same core and limits as the HTTP API.
// The servers of all snapshots share one Core.
type Core struct {
	Answers      Answers
	Pilots       Pilots
	Trials       Trials
	AskLimit     *limits.Limiter
	ContactLimit *limits.Limiter // for the headers; Pilots takes the slots
	TrialLimit   *limits.Limiter // for the headers; Trials takes the slots
	ToolErrors   string          // contract.ToolErrorsContract or contract.ToolErrorsResults
}

// constantTools are the tools whose answers never vary.
var constantTools = []string{contract.ToolListServices}

// Website makes the MCP server of the website for one snapshot of the content.
func (c *Core) Website(catalog contract.Catalog, documents Documents) *Server {
	uris := published(catalog.URL, documents)
	instructions := fmt.Sprintf("This is the website's server of %s: read the catalog, ask questions that approved text answers, and file pilot requests.", catalog.Name)
	if workspace := catalog.Links.Workspace(); workspace != "" {
		instructions += fmt.Sprintf(" It starts no trial: trials start at the workspace server, %s.", workspace)
	}
	options := []server.ServerOption{server.WithInstructions(instructions)}
	if len(uris) > 0 {
		options = append(options, server.WithResourceCapabilities(false, false))
	}
	registry := newRegistry(discovery.ServerName(catalog.Links.MCP, discovery.WebsiteServer), catalog, options...)
	addTools(registry, listServices(catalog), getService(catalog), c.askFAQ(), c.requestPilot())
	addResources(registry, uris)
	return New(registry, catalog.URL, c.ToolErrors, Constant{Tools: constantTools, Resources: uris.list()})
}

// Workspace makes the MCP server of the workspace application for one snapshot of
// the content.
func (c *Core) Workspace(catalog contract.Catalog) *Server {
	registry := newRegistry(discovery.ServerName(catalog.Links.Workspace(), discovery.WorkspaceServer), catalog, server.WithInstructions(fmt.Sprintf(
		"This is the workspace's server of %s: start a free trial in a draft workspace. "+
			"Questions and pilot requests are for the website's server, %s.", catalog.Name, catalog.Links.MCP)))
	addTools(registry, listServices(catalog), getService(catalog), c.startTrial())
	return New(registry, catalog.URL, c.ToolErrors, Constant{Tools: constantTools})
}

// newRegistry names a server and declares that its lists never change: there is no
// stream on which a client could be notified.
func newRegistry(name string, catalog contract.Catalog, options ...server.ServerOption) *server.MCPServer {
	return server.NewMCPServer(name, contract.ServerVersion, append(options,
		server.WithTitle(catalog.Name),
		server.WithWebsiteURL(catalog.URL),
		server.WithToolCapabilities(false))...)
}
