package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// MCPVersions lists the protocol versions of both MCP servers (section 4), the preferred
// one first.
var MCPVersions = []string{"2025-06-18", "2025-03-26"}

// MCPVersionLater reports whether a protocol version is a real date after those that the
// servers support.
func MCPVersionLater(version string) bool {
	_, err := time.Parse(time.DateOnly, version)
	return err == nil && version > MCPVersions[0]
}

// MCPVersionSpoken reports whether the servers support a protocol version.
func MCPVersionSpoken(version string) bool { return slices.Contains(MCPVersions, version) }

// ServerVersion is the version that both MCP servers report.
const ServerVersion = "1.0.0"

// Request headers of MCP clients, in canonical spelling. The servers read only the
// first; the others appear in preflights.
const (
	HeaderMCPVersion = "Mcp-Protocol-Version" // the protocol version of the message
	HeaderMCPMethod  = "Mcp-Method"           // MCP 2026-07-28
	HeaderMCPName    = "Mcp-Name"             // MCP 2026-07-28
	HeaderMCPSession = "Mcp-Session-Id"
)

// MetaSubject is the member of _meta in which OpenAI's assistants name the person for whom
// they call a tool, and MaxSubject how long in bytes a name may be that counts.
const (
	MetaSubject = "openai/subject"
	MaxSubject  = 256
)

// Tool names of the two MCP servers (section 4).
const (
	ToolListServices = "list_services"
	ToolGetService   = "get_service"
	ToolAskFAQ       = "ask_faq"
	ToolRequestPilot = "request_pilot"
	ToolStartTrial   = "start_trial"
)

// FieldID is the argument of get_service (decisions, MCP).
const FieldID = "id"

// Names of the resources of the website's MCP server (section 4).
const (
	ResourceLLMS       = "llms.txt"
	ResourceOpenAPI    = "openapi.json"
	ResourceAgents     = "agents.json"
	ResourcePricing    = "pricing"
	ResourceDevelopers = "developers"
)

// Codes of JSON-RPC errors (JSON-RPC 2.0, 5.1; MCP; section 7).
const (
	RPCParseError       = -32700 // the body is not JSON
	RPCInvalidRequest   = -32600 // a batch or a wrong envelope
	RPCMethodNotFound   = -32601
	RPCInvalidParams    = -32602 // invalid tool arguments, an unknown tool
	RPCInternalError    = -32603
	RPCResourceNotFound = -32002
	// RPCServerError is the code of every other refusal of the transport. An unsupported
	// protocol version has it too: clients of MCP 2026-07-28 read the -32022 of their own
	// version as a modern server, from which they must not fall back.
	RPCServerError = -32000
)

// How the servers answer invalid arguments of a tool, an unknown service id and a reached
// limit: as the contract says, with JSON-RPC errors and HTTP 429, or with results that
// agent frameworks show to their models.
const (
	ToolErrorsContract = "contract"
	ToolErrorsResults  = "results"
)

// Which version headers are served: those that the contract lists, or later ones too.
const (
	MCPVersionsContract = "contract"
	MCPVersionsTolerant = "tolerant"
)

// RPCRefusal makes an error of the MCP transport also a JSON-RPC error object
// (decisions, MCP).
type RPCRefusal struct {
	ID    json.RawMessage // the request's id as it was sent; nil if unknown
	Error *RPCError
}

// RPCProblem is a problem record that is also a JSON-RPC error object, so that
// clients of either kind can read it. Its error member replaces the older text,
// which detail repeats.
type RPCProblem struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *RPCError       `json:"error"`
	Problem
}

// Problem combines the refusal with the record of its error.
func (r *RPCRefusal) Problem(problem Problem) RPCProblem {
	r.Error.Data.RequestID = problem.RequestID
	return RPCProblem{JSONRPC: "2.0", ID: r.ID, Error: r.Error, Problem: problem}
}

// RPCError is the error member of a JSON-RPC error object. Returned as a Go error, it is
// answered with HTTP 200.
type RPCError struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Data    *RPCErrorData `json:"data"`
}

func (e *RPCError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// RPCErrorData describes an error to programs. Every JSON-RPC error of both servers has
// at least a code and a hint.
type RPCErrorData struct {
	Code              Code         `json:"code"`
	Hint              string       `json:"hint"`
	Field             string       `json:"field,omitempty"`  // the first failing argument or parameter
	Errors            []FieldError `json:"errors,omitempty"` // all failing ones
	RequestID         string       `json:"request_id,omitempty"`
	RetryAfterSeconds int          `json:"retry_after_seconds,omitempty"`
	KnownIDs          []string     `json:"known_ids,omitempty"` // of the services, if the given one is unknown
	Tools             []string     `json:"tools,omitempty"`     // of the server, if the given one is unknown
	URI               string       `json:"uri,omitempty"`       // of the unknown resource
	Supported         []string     `json:"supported,omitempty"` // protocol versions, if the given one is not among them
	Requested         string       `json:"requested,omitempty"` // that given version
}

// RPCError returns e as the error member of a JSON-RPC error object. Many clients show
// only the message, or the beginning of the body, so the message includes the hint and
// begins with the waiting time.
func (e *Error) RPCError(code int) *RPCError {
	problem := e.Problem("")
	data := &RPCErrorData{
		Code: problem.Code, Hint: problem.Hint, Errors: e.Fields,
		RetryAfterSeconds: e.waitSeconds(), KnownIDs: e.KnownIDs,
	}
	if len(e.Fields) > 0 {
		data.Field = e.Fields[0].Field
	}
	return &RPCError{Code: code, Message: e.rpcMessage(problem), Data: data}
}

func (e *Error) rpcMessage(problem Problem) string {
	switch {
	case e.RetryAfter > 0:
		return fmt.Sprintf("Wait %d s. %s", e.waitSeconds(), e.Detail)
	case e.Code == InvalidRequest && e.Hint == "":
		return e.Detail // the general hint of the code adds nothing
	}
	return e.Detail + " " + problem.Hint
}
