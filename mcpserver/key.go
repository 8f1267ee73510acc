package mcpserver

import (
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
)

// key is what an answer that never varies is kept under: a method, and where that
// is not all, the version, tool or resource that is asked for.
type key struct {
	method mcp.MCPMethod
	of     string
}

// keyOf is what the answer of a request is kept under, if it never varies.
func (s *Server) keyOf(method mcp.MCPMethod, p params) (key, error) {
	switch method {
	case mcp.MethodInitialize:
		// Any other version is answered with the one that we prefer (MCP, Lifecycle).
		version, _ := p.text(paramVersion)
		if !contract.MCPVersionSpoken(version) {
			version = contract.MCPVersions[0]
		}
		return key{method, version}, nil
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		if p.raw(paramCursor) != "" {
			return key{}, contract.Invalid(paramCursor, "cursor is not known: the list has one page")
		}
	case mcp.MethodResourcesRead:
		uri, given := p.text(paramURI)
		if !given {
			return key{}, contract.Invalid(paramURI, "uri is required")
		}
		return key{method, uri}, nil
	case mcp.MethodToolsCall:
		return s.toolKey(p)
	}
	return key{method: method}, nil
}

func (s *Server) toolKey(p params) (key, error) {
	name, given := p.text(paramName)
	switch {
	case !given:
		return key{}, contract.Invalid(paramName, "name is required: it is the name of a tool")
	case !slices.Contains(s.tools, name):
		return key{}, unknownTool(name, s.tools)
	case p.hasArguments():
		return key{}, nil
	}
	return key{mcp.MethodToolsCall, name}, nil
}
