package contract

import (
	"encoding/json"
	"slices"
)

// MCPVersions are the protocol versions of both MCP servers (section 4), the
// preferred one first.
var MCPVersions = []string{"2025-06-18", "2025-03-26"}

// MCPVersionSpoken reports whether both servers speak a protocol version.
func MCPVersionSpoken(version string) bool { return slices.Contains(MCPVersions, version) }

// ServerVersion is the version that both MCP servers tell of themselves.
const ServerVersion = "1.0.0"

// HeaderMCPVersion is the header that names the protocol version of a message,
// spelled as net/http keeps it.
const HeaderMCPVersion = "Mcp-Protocol-Version"

// PathLLMS is where the guide for language models is published (section 1).
const PathLLMS = "/llms.txt"

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
	RPCParseError       = -32700 // the body is no JSON
	RPCInvalidRequest   = -32600 // a batch, a wrong envelope, an unknown protocol version
	RPCMethodNotFound   = -32601
	RPCInvalidParams    = -32602 // invalid tool arguments, an unknown tool
	RPCInternalError    = -32603
	RPCServerError      = -32000 // every other refusal of the transport
	RPCResourceNotFound = -32002
)

// RPCRefusal makes an error of the HTTP transport of MCP a JSON-RPC error object
// at the same time (decisions, MCP).
type RPCRefusal struct {
	Code int
	ID   json.RawMessage // the request's id as it was written; nil where it is not known
}

// RPCProblem is a problem record that is a JSON-RPC error object at once: a
// client of either kind reads it. Its error member takes the place of the older
// text, which detail holds too.
type RPCProblem struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   RPCError        `json:"error"`
	Problem
}

// RPCError is the error member of a JSON-RPC error object.
type RPCError struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Data    *RPCErrorData `json:"data,omitempty"`
}

// RPCErrorData tells a program what an error's message tells a reader.
type RPCErrorData struct {
	Code     Code         `json:"code,omitempty"`
	Hint     string       `json:"hint,omitempty"`
	Errors   []FieldError `json:"errors,omitempty"`
	KnownIDs []string     `json:"known_ids,omitempty"` // of the services, where the given one is unknown
	Tools    []string     `json:"tools,omitempty"`     // of the server, where the given one is unknown
	URI      string       `json:"uri,omitempty"`       // of the resource that is unknown
}

// Problem joins the refusal with the record of its error.
func (r *RPCRefusal) Problem(problem Problem) RPCProblem {
	return RPCProblem{
		JSONRPC: "2.0",
		ID:      r.ID,
		Error:   RPCError{Code: r.Code, Message: problem.Detail},
		Problem: problem,
	}
}
