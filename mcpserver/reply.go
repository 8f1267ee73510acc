package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// A reply is sent in three parts: replyHead, the id of the request and a tail. The
// tail has no id in it, so that it can be prepared for all requests at once.
const replyHead = `{"jsonrpc":"2.0","id":`

var (
	headBytes = []byte(replyHead)
	typeJSON  = []string{contract.TypeJSON}
	noStore   = []string{"no-store"}
	noLength  = []string{"0"}
)

func writeReply(w http.ResponseWriter, id json.RawMessage, tail []byte) {
	header := w.Header()
	header["Content-Type"] = typeJSON
	header["Cache-Control"] = noStore
	header["Content-Length"] = []string{strconv.Itoa(len(headBytes) + len(id) + len(tail))}
	for _, part := range [][]byte{headBytes, id, tail} {
		_, _ = w.Write(part) // the client has gone; nothing is left to tell it
	}
}

// accepted answers a message that wants no answer.
func accepted(w http.ResponseWriter) {
	header := w.Header()
	header["Cache-Control"] = noStore
	header["Content-Length"] = noLength
	w.WriteHeader(http.StatusAccepted)
}

// valueTail is the tail of a reply with a result.
func valueTail(result any) []byte {
	return tailOf(`,"result":`, payload.JSON(result))
}

// errorTail is the tail of a reply with an error.
func errorTail(e *rpcError) []byte {
	return tailOf(`,"error":`, payload.JSON(contract.RPCError(*e)))
}

func tailOf(member string, value []byte) []byte {
	value = bytes.TrimSuffix(value, []byte("\n"))
	tail := make([]byte, 0, len(member)+len(value)+len("}\n"))
	tail = append(tail, member...)
	tail = append(tail, value...)
	return append(tail, "}\n"...)
}

// isError marks a tool result that tells of a failure.
const isError = true

// resultTail is the tail of a reply with a tool result: JSON text as structured
// content, and the same as text for clients that read no other. A failure has the
// text alone: clients hold structured content to the tool's output schema.
func resultTail(structured []byte, failed bool) []byte {
	structured = bytes.TrimSuffix(structured, []byte("\n"))
	text := bytes.TrimSuffix(payload.JSON(string(structured)), []byte("\n"))
	tail := make([]byte, 0, len(text)+len(structured)+96)
	tail = append(tail, `,"result":{"content":[{"type":"text","text":`...)
	tail = append(tail, text...)
	if failed {
		return append(tail, "}],\"isError\":true}}\n"...)
	}
	tail = append(tail, `}],"structuredContent":`...)
	tail = append(tail, structured...)
	return append(tail, "}}\n"...)
}
