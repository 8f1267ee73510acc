package mcpserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// refuse makes an error a refusal of the transport: a problem record with its HTTP
// status that is also a JSON-RPC error.
func refuse(err error, code int, id json.RawMessage) *contract.Error {
	refusal := *contract.AsError(err)
	refusal.RPC = &contract.RPCRefusal{ID: id, Error: refusal.RPCError(code)}
	return &refusal
}

// refuseVersion refuses a protocol version. A newer client learns from the code and
// data.supported which version to fall back to.
func refuseVersion(version string, id json.RawMessage) error {
	refusal := contract.InvalidBody(
		"The header MCP-Protocol-Version names a protocol version that this server does not speak.",
		"Use one of the versions "+strings.Join(contract.MCPVersions, " and ")+".")
	refusal.Fields = []contract.FieldError{{Field: contract.HeaderMCPVersion, Message: refusal.Detail}}
	refusal = refuse(refusal, contract.RPCServerError, id)
	data := refusal.RPC.Error.Data
	data.Supported, data.Requested = contract.MCPVersions, payload.Cut(version)
	return refusal
}

// answerError maps an error to the answer of the request: the tail of a JSON-RPC
// response, or a refusal of the transport.
//
//	rate_limited     HTTP 429, with -32000
//	invalid_request  -32602, naming the field
//	bad_gateway      a tool result with isError that holds the problem record
//	everything else  -32603, without its text
func (s *Server) answerError(err error, c *call) ([]byte, error) {
	if protocol, ok := errors.AsType[*contract.RPCError](err); ok {
		return c.errorTail(protocol), nil
	}
	failure := contract.AsError(err)
	switch {
	case failure.Code == contract.RateLimited:
		return nil, refuse(failure, contract.RPCServerError, c.id)
	case failure.Code == contract.InvalidRequest:
		return c.errorTail(failure.RPCError(contract.RPCInvalidParams)), nil
	case failure.Code == contract.BadGateway:
		c.note(failure, nil)
		return failureTail(s.record(failure, c)), nil
	}
	c.note(failure, nil)
	return c.errorTail(internalError()), nil
}

// answerToolError maps an error of a tool to the answer of the request. Where errors of
// tools are results, what the caller can correct or wait for is a tool result with
// isError: a sentence that says everything, then the problem record.
func (s *Server) answerToolError(err error, c *call) ([]byte, error) {
	failure := contract.AsError(err)
	if s.toolErrors != contract.ToolErrorsResults || failure.Code != contract.InvalidRequest &&
		failure.Code != contract.RateLimited {
		return s.answerError(failure, c)
	}
	failure.SetRetryAfter(c.w.Header())
	return failureTail(failure.RPCError(contract.RPCInvalidParams).Message, s.record(failure, c)), nil
}

// record returns the problem record of a failed tool as text.
func (s *Server) record(failure *contract.Error, c *call) string {
	problem := failure.Problem(s.baseURL)
	problem.RequestID = c.requestID()
	return string(encode(problem))
}

// internalError does not reveal its cause, which goes to the log.
func internalError() *contract.RPCError {
	return contract.Internal(nil).RPCError(contract.RPCInternalError)
}

// invalid returns a -32602 that names a parameter and gives a hint.
func invalid(parameter, detail, hint string) *contract.RPCError {
	refusal := contract.Invalid(parameter, detail)
	refusal.Hint = hint
	return refusal.RPCError(contract.RPCInvalidParams)
}

func unknownTool(name string, tools []string) error {
	refusal := invalid(paramName, "name "+payload.Shown(name)+" is not a tool of this server",
		"The tools are "+strings.Join(tools, ", ")+".")
	refusal.Data.Tools = tools
	return refusal
}

// fromLibrary replaces the text of an error of mcp-go, which may include the text of a
// handler's error.
func (s *Server) fromLibrary(code int, m message, p params) *contract.RPCError {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return (&contract.Error{
			Code:   contract.NotFound,
			Detail: "This server has no method " + payload.Shown(string(m.method)) + ".",
			Hint:   "The methods are " + strings.Join(s.methods(), ", ") + ".",
		}).RPCError(contract.RPCMethodNotFound)
	case mcp.RESOURCE_NOT_FOUND:
		uri, _ := p.text(paramURI)
		refusal := (&contract.Error{
			Code:   contract.NotFound,
			Detail: "There is no resource " + payload.Shown(uri) + ".",
			Hint:   "resources/list names all resources.",
			Fields: []contract.FieldError{{Field: paramURI, Message: "uri is not the address of a resource"}},
		}).RPCError(contract.RPCResourceNotFound)
		refusal.Data.URI = uri
		return refusal
	case mcp.INVALID_PARAMS, mcp.INVALID_REQUEST, mcp.PARSE_ERROR:
		return invalid(memberParams, "params do not fit the method "+payload.Shown(string(m.method)), "")
	}
	return internalError()
}

// methods lists the methods that the server answers.
func (s *Server) methods() []string {
	methods := []string{string(mcp.MethodToolsCall)}
	for k := range s.prepared {
		methods = append(methods, string(k.method))
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// notAcceptable refuses an Accept header without JSON.
func notAcceptable() *contract.Error {
	return &contract.Error{
		Code:   contract.InvalidRequest,
		Status: http.StatusNotAcceptable,
		Detail: "The Accept header excludes " + contract.TypeJSON + ", the only type of this server's answers.",
		Hint:   "Send Accept: " + contract.TypeJSON + ", text/event-stream, or no Accept header.",
		Fields: []contract.FieldError{{Field: contract.HeaderAccept, Message: "Accept excludes " + contract.TypeJSON}},
	}
}
