package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// rpcError is an error of the protocol, answered with the HTTP status 200: clients
// take any other status for a broken transport and lose the code.
type rpcError contract.RPCError

func (e *rpcError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// refuse makes err a refusal of the transport, whose HTTP status says it too.
func refuse(err error, code int, id json.RawMessage) error {
	refusal := *contract.AsError(err)
	refusal.RPC = &contract.RPCRefusal{Code: code, ID: id}
	return &refusal
}

// versionRefused is the refusal of a protocol version.
func versionRefused(detail string) error {
	return contract.InvalidBody(detail, "Use one of the versions "+strings.Join(contract.MCPVersions, " and ")+".")
}

// answerTo maps an error to the answer of the request: the tail of a JSON-RPC
// response, or a refusal of the transport.
//
//	rate_limited     HTTP 429, with -32000
//	invalid_request  -32602, naming the field
//	bad_gateway      a tool result with isError that holds the problem record
//	everything else  -32603, without its text
func (s *Server) answerTo(err error, c *call) ([]byte, error) {
	if protocol, ok := errors.AsType[*rpcError](err); ok {
		return errorTail(protocol), nil
	}
	failure := contract.AsError(err)
	switch {
	case failure.RPC != nil:
		return nil, failure
	case failure.Code == contract.RateLimited:
		return nil, refuse(failure, contract.RPCServerError, c.id)
	case failure.Code == contract.InvalidRequest:
		return errorTail(invalidParams(failure)), nil
	case failure.Code == contract.BadGateway:
		c.note(failure, nil)
		return resultTail(payload.JSON(failure.Problem(s.baseURL)), isError), nil
	}
	c.note(failure, nil)
	return errorTail(internalError()), nil
}

// invalidParams names every failing field, as the problem record of the HTTP API
// does.
func invalidParams(failure *contract.Error) *rpcError {
	problem := failure.Problem("")
	return &rpcError{
		Code:    contract.RPCInvalidParams,
		Message: problem.Detail,
		Data:    &contract.RPCErrorData{Code: problem.Code, Hint: problem.Hint, Errors: failure.Fields},
	}
}

// internalError tells nothing of its cause, which is for the log.
func internalError() *rpcError {
	problem := contract.Internal(nil).Problem("")
	return &rpcError{
		Code:    contract.RPCInternalError,
		Message: problem.Detail,
		Data:    &contract.RPCErrorData{Code: problem.Code, Hint: problem.Hint},
	}
}

func unknownTool(name string, tools []string) error {
	return &rpcError{
		Code:    contract.RPCInvalidParams,
		Message: fmt.Sprintf("There is no tool %s; the tools are %s.", payload.Shown(name), strings.Join(tools, ", ")),
		Data:    &contract.RPCErrorData{Tools: tools},
	}
}

func unknownService(id string, known []string) error {
	refusal := invalidParams(contract.Invalid(contract.FieldID,
		fmt.Sprintf("%s %s is not the id of a service", contract.FieldID, payload.Shown(id))))
	refusal.Data.Hint = "Use one of the known ids; " + contract.ToolListServices + " describes each."
	refusal.Data.KnownIDs = known
	return refusal
}

// fromLibrary words an error of mcp-go anew: its own text may hold what a handler
// failed with.
func fromLibrary(code int, m message, p params) *rpcError {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return &rpcError{Code: contract.RPCMethodNotFound, Message: "This server has no method " + payload.Shown(string(m.name())) + "."}
	case mcp.RESOURCE_NOT_FOUND:
		uri, _ := p.text(paramURI)
		return &rpcError{
			Code:    contract.RPCResourceNotFound,
			Message: "There is no resource " + payload.Shown(uri) + "; resources/list names them all.",
			Data:    &contract.RPCErrorData{URI: uri},
		}
	case mcp.INVALID_PARAMS, mcp.INVALID_REQUEST, mcp.PARSE_ERROR:
		return &rpcError{Code: contract.RPCInvalidParams, Message: "The params do not fit the method " + payload.Shown(string(m.name())) + "."}
	}
	return internalError()
}
