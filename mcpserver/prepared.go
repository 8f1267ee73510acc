package mcpserver

import (
	"context"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
)

// key identifies an answer that never varies: a method and the requested version, tool
// or resource.
type key struct {
	method mcp.MCPMethod
	of     string
}

// lists are the methods whose answer does not depend on parameters.
var lists = []mcp.MCPMethod{
	mcp.MethodPing, mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList,
}

// prepareAll prepares the answers that never vary: initialize, ping, lists, resources, and
// tools without arguments.
func (s *Server) prepareAll(resources []string) {
	for _, version := range contract.MCPVersions {
		s.prepare(key{mcp.MethodInitialize, version}, fmt.Sprintf(
			`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"","version":""}}`, version))
	}
	for _, method := range lists {
		s.prepare(key{method: method}, `{}`)
	}
	for _, uri := range resources {
		s.prepare(key{mcp.MethodResourcesRead, uri}, fmt.Sprintf(`{"uri":%q}`, uri))
	}
	for name, t := range s.own {
		if len(t.fields) > 0 {
			continue
		}
		if tail, err := t.answer(context.Background(), &call{}, ""); err == nil {
			s.prepared[key{mcp.MethodToolsCall, name}] = tail
		}
	}
}

// prepare stores mcp-go's answer to a request. It stores no error: a server without
// resources, for example, refuses their list at each request.
func (s *Server) prepare(k key, params string) {
	if response, ok := s.handle(context.Background(),
		message{method: k.method, params: params}).(mcp.JSONRPCResponse); ok {
		s.prepared[k] = valueTail(response.Result)
	}
}

// keyOf returns the key of a request; its answer is prepared if it never varies.
func (s *Server) keyOf(method mcp.MCPMethod, p params) (key, error) {
	switch method {
	case mcp.MethodInitialize:
		// The answer to any other version is the preferred one (MCP, Lifecycle).
		version, _ := p.text(paramVersion)
		if !contract.MCPVersionSpoken(version) {
			version = contract.MCPVersions[0]
		}
		return key{method, version}, nil
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		if cursor := p.raw(paramCursor); cursor != "" && cursor != `""` { // an empty one is that of the first page
			return key{}, contract.Invalid(paramCursor, "cursor is not known: the list has one page")
		}
	case mcp.MethodResourcesRead:
		uri, err := p.required(paramURI)
		return key{method, uri}, err
	case mcp.MethodToolsCall:
		name, err := p.required(paramName)
		if err == nil && !slices.Contains(s.tools, name) {
			err = unknownTool(name, s.tools)
		}
		return key{method, name}, err
	}
	return key{method: method}, nil
}
