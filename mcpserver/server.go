package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
)

// Server is one MCP server on one snapshot of the content.
type Server struct {
	registry *server.MCPServer
	baseURL  string
	tools    []string
	own      map[string]*tool // the tools of this package; see call
	prepared map[key][]byte   // tails of the answers that never vary
	calls    atomic.Int64
}

// Constant names what always answers the same in one snapshot: tools that take no
// arguments, and resources by their URIs.
type Constant struct {
	Tools, Resources []string
}

// New makes a server of what is registered, and prepares the answers that never
// vary: initialize, ping, every list, and what is constant. baseURL makes the types
// of problem records.
func New(registry *server.MCPServer, baseURL string, constant Constant) *Server {
	s := &Server{
		registry: registry,
		baseURL:  baseURL,
		tools:    slices.Sorted(maps.Keys(registry.ListTools())),
		prepared: map[key][]byte{},
	}
	for _, version := range contract.MCPVersions {
		s.prepare(key{mcp.MethodInitialize, version}, fmt.Sprintf(
			`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"","version":""}}`, version))
	}
	for _, method := range lists {
		s.prepare(key{method: method}, `{}`)
	}
	for _, name := range constant.Tools {
		s.prepare(key{mcp.MethodToolsCall, name}, fmt.Sprintf(`{"name":%q}`, name))
	}
	for _, uri := range constant.Resources {
		s.prepare(key{mcp.MethodResourcesRead, uri}, fmt.Sprintf(`{"uri":%q}`, uri))
	}
	return s
}

// lists are the methods whose answer depends on no parameter.
var lists = []mcp.MCPMethod{
	mcp.MethodPing, mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList,
}

// prepare keeps the answer that mcp-go gives to a request. What it refuses (a
// server without resources has no list of them) is refused at each request.
func (s *Server) prepare(k key, params string) {
	c := &call{}
	m := message{method: strconv.Quote(string(k.method)), params: params}
	if response, ok := s.handle(context.Background(), c, m).(mcp.JSONRPCResponse); ok {
		s.prepared[k] = tailOfResponse(c, response)
	}
}

func tailOfResponse(c *call, response mcp.JSONRPCResponse) []byte {
	if c.tail != nil {
		return c.tail
	}
	return valueTail(response.Result)
}

// handle gives a message to mcp-go, under a number of our own: the library tells
// running calls apart by their id alone, whoever sent them, and would round a large
// one.
func (s *Server) handle(ctx context.Context, c *call, m message) mcp.JSONRPCMessage {
	request := make([]byte, 0, len(m.params)+len(m.method)+64)
	request = append(request, replyHead...)
	request = strconv.AppendInt(request, s.calls.Add(1), 10)
	request = append(request, `,"method":`...)
	request = append(request, m.method...)
	if m.params != "" {
		request = append(request, `,"params":`...)
		request = append(request, m.params...)
	}
	return s.registry.HandleMessage(withCall(ctx, c), append(request, '}'))
}

// answer answers a request with the tail of a reply, or refuses it with an HTTP
// status.
func (s *Server) answer(ctx context.Context, c *call, m message) (tail []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			c.note(contract.Internal(fmt.Errorf("panic: %v", value)), debug.Stack())
			tail, err = errorTail(internalError()), nil
		}
	}()
	p, err := readParams(m)
	if err != nil {
		return s.answerTo(err, c)
	}
	k, err := s.keyOf(m.name(), p)
	if err != nil {
		return s.answerTo(err, c)
	}
	if tail := s.prepared[k]; tail != nil {
		return tail, nil
	}
	if tail, err = s.call(ctx, c, m, p); err != nil {
		return s.answerTo(err, c)
	}
	return tail, nil
}

// call runs what is not prepared. A tool of this package is called as it stands in
// the registry, with the arguments that were read here: mcp-go would read the whole
// message four times more to find them, which costs more than all the rest of a call.
func (s *Server) call(ctx context.Context, c *call, m message, p params) ([]byte, error) {
	if m.name() == mcp.MethodToolsCall {
		name, _ := p.text(paramName)
		if t := s.own[name]; t != nil {
			return t.answer(ctx, c, p.raw(paramArguments))
		}
	}
	switch response := s.handle(ctx, c, m).(type) {
	case mcp.JSONRPCResponse:
		return tailOfResponse(c, response), nil
	case mcp.JSONRPCError:
		if c.failure != nil {
			return nil, c.failure
		}
		return nil, fromLibrary(response.Error.Code, m, p)
	default:
		return nil, fmt.Errorf("mcp-go answers %s with %T", m.method, response)
	}
}
