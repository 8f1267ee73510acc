package routes

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/mcpserver"
)

// MCP are the endpoints of the two MCP servers.
type MCP struct {
	Website, Workspace *mcpserver.Handler
}

// mcpRoutes are the MCP servers of section 4. The tools take the slots of their
// policies themselves: the path is the same for all of them.
func mcpRoutes(mcp MCP, limit Limiters) []Route {
	return []Route{
		{Method: http.MethodPost, Path: contract.PathMCP,
			Purpose: "MCP server of the website", Handler: mcp.Website.Serve, BodyCap: contract.CapMCP,
			ToolLimits: []*limits.Limiter{limit.Ask, limit.Contact}},
		{Method: http.MethodPost, Path: contract.PathWorkspaceMCP,
			Purpose: "MCP server of the workspace application", Handler: mcp.Workspace.Serve, BodyCap: contract.CapMCP,
			ToolLimits: []*limits.Limiter{limit.Trial}},
	}
}
