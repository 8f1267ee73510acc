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

// metaVersion is the member in which messages name their protocol version since MCP
// 2026-07-28. mcp-go would serve such a message by that version's rules.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// params are the parameters of a request.
type params struct {
	object *payload.Object
	person string // for whom an assistant says that it calls
}

// readParams reads the parameters of m. Its errors are invalid parameters, or the
// transport's refusal of a protocol version.
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
	err = p.readMeta(m.id)
	return p, err
}

func (p *params) readMeta(id json.RawMessage) error {
	meta := p.raw(paramMeta)
	if meta == "" {
		return nil
	}
	if meta[0] != '{' {
		return contract.Invalid(paramMeta, "_meta must be an object")
	}
	object, err := payload.ParseJSON(meta, []string{metaVersion, contract.MetaSubject})
	if err != nil {
		return err
	}
	if version, given := object.Raw(metaVersion); given && !contract.MCPVersionSpoken(object.Text(metaVersion)) {
		return refuseVersion("The _meta of the message", strings.Trim(version, `"`), id)
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

// hasArguments reports whether a tool is called with arguments.
func (p params) hasArguments() bool {
	raw := p.raw(paramArguments)
	return raw != "" && raw != "{}"
}
