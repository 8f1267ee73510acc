package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// A reply has three parts: replyHead, the id of the request and a tail. The tail does not
// depend on the id, so it can be prepared once.
const replyHead = `{"jsonrpc":"2.0","id":`

func writeReply(w http.ResponseWriter, id json.RawMessage, tail []byte) {
	header := w.Header()
	header.Set("Content-Type", contract.TypeJSON)
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(replyHead)+len(id)+len(tail)))
	for _, part := range [][]byte{[]byte(replyHead), id, tail} {
		_, _ = w.Write(part) // fails when the client has gone
	}
}

// writeAccepted answers a message that expects no answer.
func writeAccepted(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", "0")
	w.WriteHeader(http.StatusAccepted)
}

// encode is payload.JSON without the final newline.
func encode(v any) json.RawMessage { return bytes.TrimSuffix(payload.JSON(v), []byte("\n")) }

// valueTail returns the tail of a reply with a result of mcp-go.
func valueTail(result any) []byte { return join(`,"result":`, string(encode(result)), "}\n") }

// resultTail returns the tail of a reply with structured content, repeated as text for
// clients that read only text, and with a further text unless that is empty. mcp-go would
// encode both several times and escape them for HTML, unlike the HTTP API.
func resultTail(structured json.RawMessage, further string) []byte {
	text := string(bytes.TrimSuffix(structured, []byte("\n")))
	blocks := string(encode(mcp.NewTextContent(text)))
	if further != "" {
		blocks += "," + string(encode(mcp.NewTextContent(further)))
	}
	return join(`,"result":{"content":[`, blocks, `],"structuredContent":`, text, "}}\n")
}

// failureTail returns the tail of a reply with a tool's failure. It has only texts:
// clients validate structured content with the tool's output schema.
func failureTail(texts ...string) []byte {
	blocks := make([]mcp.Content, len(texts))
	for i, text := range texts {
		blocks[i] = mcp.NewTextContent(text)
	}
	return join(`,"result":{"content":`, string(encode(blocks)), ",\"isError\":true}}\n")
}

// errorTail returns the tail of a reply with an error, which was made for this call.
func (c *call) errorTail(e *contract.RPCError) []byte {
	e.Data.RequestID = c.requestID()
	return join(`,"error":`, string(encode(e)), "}\n")
}

func join(parts ...string) []byte { return []byte(strings.Join(parts, "")) }
