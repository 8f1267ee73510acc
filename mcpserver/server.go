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
	tools      []string
	prepared   map[key][]byte // tails of the answers that never vary
	calls      atomic.Int64
}

// New makes a server from a registry and prepares the answers that never vary. baseURL
// begins the types of problem records; toolErrors is contract.ToolErrorsContract or
// contract.ToolErrorsResults.
func New(registry *server.MCPServer, baseURL, toolErrors string, constant Constant) *Server {
	s := &Server{
		registry:   registry,
		baseURL:    baseURL,
		toolErrors: toolErrors,
		tools:      slices.Sorted(maps.Keys(registry.ListTools())),
		prepared:   map[key][]byte{},
	}
	s.prepareAll(constant)
	return s
}

// handle lets mcp-go answer a message under a new, unique id: the library identifies
// running calls only by id, for all clients together, and rounds large ids.
func (s *Server) handle(ctx context.Context, c *call, m message) mcp.JSONRPCMessage {
	id := strconv.FormatInt(s.calls.Add(1), 10)
	request := replyHead + id + `,"method":` + m.method
	if m.params != "" {
		request += `,"params":` + m.params
	}
	return s.registry.HandleMessage(withCall(ctx, c), json.RawMessage(request+"}"))
}

// answer answers a request with the tail of a reply, or refuses it with an HTTP status.
// Answers that are not prepared go through mcp-go.
func (s *Server) answer(ctx context.Context, c *call, m message) (tail []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			c.note(contract.Internal(fmt.Errorf("panic: %v", value)), debug.Stack())
			tail, err = errorTail(internalError()), nil
		}
	}()
	p, err := readParams(m)
	if err != nil {
		return s.answerError(err, c)
	}
	if m.name() == mcp.MethodInitialize {
		c.noteSession(p)
	}
	k, err := s.keyOf(m.name(), p)
	if err != nil {
		return s.answerError(err, c)
	}
	if tail := s.prepared[k]; tail != nil {
		return tail, nil
	}
	switch response := s.handle(limits.WithPerson(ctx, p.person), c, m).(type) {
	case mcp.JSONRPCResponse:
		return valueTail(response.Result), nil
	case mcp.JSONRPCError:
		if c.failure != nil {
			return s.answerToolError(c.failure, c)
		}
		return errorTail(s.fromLibrary(response.Error.Code, m, p)), nil
	default:
		return s.answerError(fmt.Errorf("mcp-go answers %s with %T", m.method, response), c)
	}
}
