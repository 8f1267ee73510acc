package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

// Server is one MCP server on one snapshot of the content.
type Server struct {
	registry   *server.MCPServer
	baseURL    string
	toolErrors string
	tools      []string         // the names of all
	own        map[string]*tool // those that are not called through mcp-go
	prepared   map[key][]byte   // tails of the answers that never vary
	calls      atomic.Int64
}

// New makes a server from a registry and the tools that the server calls itself. It prepares
// the answers that never vary, those to reading the resources included. baseURL begins the types
// of problem records; toolErrors is contract.ToolErrorsContract or contract.ToolErrorsResults.
func New(registry *server.MCPServer, baseURL, toolErrors string, resources []string, tools ...*tool) *Server {
	s := &Server{registry: registry, baseURL: baseURL, toolErrors: toolErrors, own: map[string]*tool{},
		prepared: map[key][]byte{}}
	for _, t := range tools {
		s.own[t.name] = t
	}
	s.tools = slices.Sorted(maps.Keys(registry.ListTools()))
	s.prepareAll(resources)
	return s
}

// handle lets mcp-go answer a message under a new, unique id: the library identifies
// running calls only by id, for all clients together, and rounds large ids.
func (s *Server) handle(ctx context.Context, m message) mcp.JSONRPCMessage {
	id := strconv.FormatInt(s.calls.Add(1), 10)
	request := replyHead + id + `,"method":` + string(encode(m.method))
	if m.params != "" {
		request += `,"params":` + withoutMeta(m.params)
	}
	return s.registry.HandleMessage(ctx, json.RawMessage(request+"}"))
}

// answer answers a request with the tail of a reply, or refuses it with an HTTP status. What
// is neither prepared nor a call of a tool goes through mcp-go.
func (s *Server) answer(ctx context.Context, c *call, m message) (tail []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			c.note(contract.Internal(fmt.Errorf("panic: %v", value)), debug.Stack())
			tail, err = c.errorTail(internalError()), nil
		}
	}()
	p, err := readParams(m)
	if err != nil {
		return s.answerError(err, c)
	}
	if m.method == mcp.MethodInitialize {
		c.noteSession(p)
	}
	k, err := s.keyOf(m.method, p)
	if err != nil {
		return s.answerError(err, c)
	}
	isCall, arguments := k.method == mcp.MethodToolsCall, p.raw(paramArguments)
	if tail := s.prepared[k]; tail != nil && (!isCall || arguments == "" || arguments == "{}") {
		return tail, nil
	}
	if t := s.own[k.of]; isCall && t != nil {
		tail, err := t.answer(limits.WithPerson(ctx, p.person), c, arguments)
		if err != nil {
			return s.answerToolError(err, c)
		}
		return tail, nil
	}
	switch response := s.handle(ctx, m).(type) {
	case mcp.JSONRPCResponse:
		return valueTail(response.Result), nil
	case mcp.JSONRPCError:
		return c.errorTail(s.fromLibrary(response.Error.Code, m, p)), nil
	default:
		return s.answerError(fmt.Errorf("mcp-go answers %s with %T", m.method, response), c)
	}
}

// key identifies an answer that never varies: a method and the requested version, tool
// or resource.
type key struct {
	method mcp.MCPMethod
	of     string
}

// prepareAll prepares the answers that never vary: initialize, ping, lists, resources, and
// tools without arguments.
func (s *Server) prepareAll(resources []string) {
	for _, version := range contract.MCPVersions {
		s.prepare(key{mcp.MethodInitialize, version}, fmt.Sprintf(
			`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"","version":""}}`, version))
	}
	for _, method := range []mcp.MCPMethod{
		mcp.MethodPing, mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList,
	} {
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
