package mcpserver

import (
	"encoding/json"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

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
	object, err := payload.ParseJSON(m.params, paramNames)
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
	if raw := p.raw(name); raw == "" || raw[0] != '"' {
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

// hasArguments reports whether a tool is called with arguments.
func (p params) hasArguments() bool {
	raw := p.raw(paramArguments)
	return raw != "" && raw != "{}"
}
