package mcpserver

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// tool is one tool: what a client is told of it, and what it does.
type tool struct {
	name, title, description string
	input, output            schema
	hints                    hints
	fields                   []string // the arguments that it knows
	// limit takes a slot for every call, before the arguments are looked at, as it
	// does on the HTTP route of the same policy. May be nil.
	limit *limits.Limiter
	// run returns the tail of the reply. Its error is one of the core's.
	run func(ctx context.Context, c *call, arguments *payload.Object) ([]byte, error)
}

// hints are the four annotations of a tool, all of them always published: their
// defaults would tell of a tool that destroys.
type hints struct {
	readOnly, destructive, idempotent, openWorld bool
}

// describe is the tool as tools/list publishes it.
func (t *tool) describe() mcp.Tool {
	described := mcp.NewToolWithRawSchema(t.name, t.description, t.input.text())
	described.Title = t.title
	described.RawOutputSchema = t.output.text()
	described.Annotations = mcp.ToolAnnotation{
		Title:           t.title,
		ReadOnlyHint:    &t.hints.readOnly,
		DestructiveHint: &t.hints.destructive,
		IdempotentHint:  &t.hints.idempotent,
		OpenWorldHint:   &t.hints.openWorld,
	}
	return described
}

var (
	// inCall is the result that mcp-go carries: the answer itself is in the call,
	// encoded once. The library's own encoding would go over it four times.
	inCall = &mcp.CallToolResult{}
	// errInCall stands for the failure in the call.
	errInCall = errors.New("the failure is in the call")
)

// handle is the tool as mcp-go calls it.
func (t *tool) handle(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := callFrom(ctx)
	if c.tail, c.failure = t.answer(ctx, c, string(request.Params.RawArguments)); c.failure != nil {
		return nil, errInCall
	}
	return inCall, nil
}

// answer is the tail of the reply to a call with arguments as they were written.
func (t *tool) answer(ctx context.Context, c *call, raw string) ([]byte, error) {
	if t.limit != nil {
		decision := t.limit.Take(ctx, limits.ClientFrom(ctx))
		t.limit.SetHeaders(c.w.Header(), decision.Remaining)
		if !decision.Allowed {
			return nil, t.limit.Policy().Exceeded(decision.RetryAfter)
		}
	}
	arguments, err := t.arguments(raw)
	if err != nil {
		return nil, err
	}
	return t.run(ctx, c, arguments)
}

// arguments reads the arguments strictly. None, and null, are no arguments.
func (t *tool) arguments(raw string) (*payload.Object, error) {
	if raw == "" || raw == "null" {
		raw = "{}"
	}
	if raw[0] != '{' {
		return nil, contract.Invalid(paramArguments, "arguments must be an object")
	}
	return payload.ParseArguments(raw, t.fields)
}

// register adds tools to a registry, and returns them by name.
func register(registry *server.MCPServer, tools ...*tool) map[string]*tool {
	byName := make(map[string]*tool, len(tools))
	for _, t := range tools {
		registry.AddTool(t.describe(), t.handle)
		byName[t.name] = t
	}
	return byName
}

// structured is the tail of a reply with a tool's result.
func structured(result any) []byte { return resultTail(payload.JSON(result), !isError) }
