package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
)

// call is one request on its way through mcp-go: what a tool needs of HTTP, and
// what it hands back past a library that has no place for it.
type call struct {
	id     json.RawMessage
	header http.Header // of the answer
	note   func(err error, stack []byte)

	tail    []byte // the answer of a tool
	failure error  // or why there is none
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// noter is the response writer of the middleware: it tells the log of a failure
// whose answer has the status 200.
type noter interface {
	NoteFailure(err error, stack []byte)
}

func newCall(w http.ResponseWriter, id json.RawMessage) *call {
	c := &call{id: id, header: w.Header(), note: func(error, []byte) {}}
	if n, ok := w.(noter); ok {
		c.note = n.NoteFailure
	}
	return c
}
