package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// tool is one tool: its description for clients and its function.
type tool struct {
	name, title, description string
	input, output            *jsonschema.Schema
	hints                    hints
	fields                   []string // the names of its arguments
	// limit takes a slot for every call before the arguments are read, like the HTTP
	// route with the same policy. It may be nil.
	limit *limits.Limiter
	// run returns the structured content, or an error of the core.
	run func(ctx context.Context, c *call, arguments *payload.Object) (json.RawMessage, error)
}

// hints are the four annotations of a tool. All are published, because their defaults
// describe a destructive tool.
type hints struct {
	readOnly, destructive, idempotent, openWorld bool
}

// describe returns the tool as tools/list publishes it.
func (t *tool) describe() mcp.Tool {
	described := mcp.NewToolWithRawSchema(t.name, t.description, encode(t.input))
	described.Title = t.title
	described.RawOutputSchema = encode(t.output)
	described.Annotations = mcp.ToolAnnotation{
		Title:           t.title,
		ReadOnlyHint:    &t.hints.readOnly,
		DestructiveHint: &t.hints.destructive,
		IdempotentHint:  &t.hints.idempotent,
		OpenWorldHint:   &t.hints.openWorld,
	}
	return described
}

// answer calls the tool, and returns the tail of the reply.
func (t *tool) answer(ctx context.Context, c *call, raw string) ([]byte, error) {
	if t.limit != nil {
		decision := t.limit.Take(ctx, limits.ClientFrom(ctx))
		decision.SetHeaders(c.w.Header())
		if !decision.Allowed {
			return nil, decision.Refusal()
		}
	}
	arguments, err := t.arguments(raw)
	if err != nil {
		return nil, err
	}
	content, err := t.run(ctx, c, arguments)
	if err != nil {
		return nil, err
	}
	return resultTail(content, c.readable), nil
}

// arguments reads the arguments strictly. Absent arguments are empty.
func (t *tool) arguments(raw string) (*payload.Object, error) {
	if raw == "" {
		raw = "{}"
	}
	switch raw[0] {
	case '{':
	case '"':
		return nil, contract.Invalid(paramArguments, "arguments must be an object, not its JSON as a string")
	default:
		return nil, contract.Invalid(paramArguments, "arguments must be an object")
	}
	return payload.ParseArguments(raw, t.fields)
}

// call is one request while it is answered: the parts of HTTP that tools need.
type call struct {
	id     json.RawMessage
	header http.Header         // of the request
	w      http.ResponseWriter // for the headers of the answer, and the log

	readable string // what a tool says beside its structured content; empty for nothing
}

// requestID returns the X-Request-Id of the answer.
func (c *call) requestID() string { return c.w.Header().Get(contract.HeaderRequestID) }

// key returns the Idempotency-Key of a call, from the argument or the header. Both
// may be given if they are the same.
func (c *call) key(arguments *payload.Object) (contract.IdempotencyKey, error) {
	inHeader, err := contract.ParseKey(contract.HeaderIdempotencyKey, c.header.Values(contract.HeaderIdempotencyKey))
	if err != nil {
		return inHeader, err
	}
	raw, _ := arguments.Raw(contract.FieldIdempotencyKey)
	if raw == "" || raw == "null" {
		return inHeader, nil
	}
	if raw[0] != '"' {
		return inHeader, contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" must be a string")
	}
	key, err := contract.ParseKey(contract.FieldIdempotencyKey, []string{arguments.Text(contract.FieldIdempotencyKey)})
	if err == nil && inHeader.Value != "" && inHeader.Value != key.Value {
		err = contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" is not the key in the header "+
			contract.HeaderIdempotencyKey)
	}
	return key, err
}

// note logs a failure whose answer has the status 200.
func (c *call) note(err error, stack []byte) {
	if log, ok := c.w.(interface{ NoteFailure(err error, stack []byte) }); ok {
		log.NoteFailure(err, stack)
	}
}

// noteSession records the client that an initialize names.
func (c *call) noteSession(p params) {
	client, err := payload.ParseJSON(p.raw(paramClient), []string{paramName})
	if log, ok := c.w.(interface{ NoteSession(client string) }); ok && err == nil {
		log.NoteSession(client.Text(paramName))
	}
}
