package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// message is the envelope of one JSON-RPC message.
type message struct {
	id     json.RawMessage // as it was sent; nil in a notification
	method mcp.MCPMethod   // empty in a client's response
	params string          // JSON text; empty when absent
}

// Members of the envelope.
const (
	memberVersion = "jsonrpc"
	memberID      = "id"
	memberMethod  = "method"
	memberParams  = "params"
	memberResult  = "result"
	memberError   = "error"
)

var envelope = []string{memberVersion, memberID, memberMethod, memberParams, memberResult, memberError}

const hintEnvelope = `Send one JSON-RPC 2.0 message, such as {"jsonrpc":"2.0","id":1,"method":"ping"}.`

// parse reads a body that is one message. It is as strict as the HTTP API: a member that
// is given twice or in another case is refused, so that mcp-go cannot read a different
// message. The message returned with an error has the id, unless the id is malformed.
func parse(body []byte) (message, error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); bytes.HasPrefix(trimmed, []byte("[")) {
		return message{}, refuse(contract.InvalidBody("The body is a batch; this server takes one message in each request.",
			hintEnvelope), contract.RPCInvalidRequest, nil)
	}
	object, err := payload.ParseJSON(body, envelope, memberParams)
	if err != nil {
		failure := contract.AsError(err)
		if len(failure.Fields) == 0 {
			failure.Hint = hintEnvelope // payload's hint is about the HTTP API
		}
		code := contract.RPCParseError
		if json.Valid(body) && utf8.Valid(body) { // JSON, but no envelope
			code = contract.RPCInvalidRequest
		}
		return message{}, refuse(failure, code, nil)
	}
	return readEnvelope(object)
}

func readEnvelope(object *payload.Object) (message, error) {
	id, hasID := object.Raw(memberID)
	if hasID && !isID(id) {
		return message{}, malformed("The id must be a string or a number.", nil)
	}
	var m message
	if hasID {
		m.id = json.RawMessage(id)
	}
	if object.Text(memberVersion) != "2.0" {
		return m, malformed(`The member jsonrpc must be "2.0".`, m.id)
	}
	_, hasResult := object.Raw(memberResult)
	_, hasError := object.Raw(memberError)
	method, hasMethod := object.Raw(memberMethod)
	switch {
	case hasMethod && (hasResult || hasError), hasResult && hasError:
		return m, malformed("A message is a request, a notification or a response, and only one of them.", m.id)
	case hasMethod && (method[0] != '"' || method == `""`):
		return m, malformed("The method must be a name.", m.id)
	case !hasMethod && !hasResult && !hasError:
		return m, malformed("The message has no method.", m.id)
	}
	m.method = mcp.MCPMethod(object.Text(memberMethod))
	m.params, _ = object.Raw(memberParams)
	return m, nil
}

// isID reports whether JSON text is an id: MCP has no null ids.
func isID(text string) bool {
	return text[0] == '"' || text[0] == '-' || '0' <= text[0] && text[0] <= '9'
}

func malformed(detail string, id json.RawMessage) error {
	return refuse(contract.InvalidBody(detail, hintEnvelope), contract.RPCInvalidRequest, id)
}

// Members of the parameters.
const (
	paramName      = "name"
	paramArguments = "arguments"
	paramURI       = "uri"
	paramCursor    = "cursor"
	paramVersion   = "protocolVersion"
	paramMeta      = "_meta"
	paramClient    = "clientInfo"
)

// paramNames are the members that this package reads, and those of initialize.
var paramNames = []string{paramName, paramArguments, paramURI, paramCursor, paramVersion, paramMeta, "capabilities",
	paramClient}

// params are the parameters of a request.
type params struct {
	object *payload.Object
	person string // for whom an assistant says that it calls
}

// readParams reads the parameters of m. Its errors are invalid parameters.
func readParams(m message) (params, error) {
	if m.params == "" || m.params == "null" {
		return params{object: &payload.Object{}}, nil
	}
	if m.params[0] != '{' {
		return params{}, contract.Invalid(memberParams, "params must be an object")
	}
	object, err := payload.ParseJSON(m.params, paramNames, paramArguments)
	if err != nil {
		return params{}, err
	}
	p := params{object: object}
	err = p.readMeta()
	return p, err
}

func (p *params) readMeta() error {
	meta := p.raw(paramMeta)
	if meta == "" {
		return nil
	}
	if meta[0] != '{' {
		return contract.Invalid(paramMeta, "_meta must be an object")
	}
	object, err := payload.ParseJSON(meta, []string{contract.MetaSubject})
	if err != nil {
		return err
	}
	if name, _ := object.Raw(contract.MetaSubject); strings.HasPrefix(name, `"`) {
		p.person = object.Text(contract.MetaSubject)
	}
	return nil
}

// raw returns the JSON text of a parameter, or "" if it is absent or null.
func (p params) raw(name string) string {
	text, _ := p.object.Raw(name)
	if text == "null" {
		return ""
	}
	return text
}

// text returns a parameter that is a string, and whether it is one.
func (p params) text(name string) (string, bool) {
	if !strings.HasPrefix(p.raw(name), `"`) {
		return "", false
	}
	return p.object.Text(name), true
}

// required returns a parameter that must be a string.
func (p params) required(name string) (string, error) {
	text, ok := p.text(name)
	switch {
	case ok:
		return text, nil
	case p.raw(name) != "":
		return "", contract.Invalid(name, name+" must be a string")
	}
	return "", contract.Invalid(name, name+" is required")
}

// withoutMeta returns JSON parameters without _meta. A message that names MCP 2026-07-28
// there would be served by that version's rules by mcp-go.
func withoutMeta(text string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil || members[paramMeta] == nil {
		return text
	}
	delete(members, paramMeta)
	return string(encode(members))
}
