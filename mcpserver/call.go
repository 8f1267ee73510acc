package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
)

// call is one request on its way: what a tool needs of HTTP, and what it hands back
// past mcp-go, which has no place for it.
type call struct {
	id json.RawMessage
	w  http.ResponseWriter // for the headers of the answer, and the log

	tail    []byte // the answer of a tool
	failure error  // or why there is none
}

// note tells the log of a failure whose answer has the status 200.
func (c *call) note(err error, stack []byte) {
	if log, ok := c.w.(interface{ NoteFailure(err error, stack []byte) }); ok {
		log.NoteFailure(err, stack)
	}
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}
