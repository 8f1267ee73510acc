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

// Handler is the endpoint of an MCP server: Streamable HTTP without sessions and event
// streams (contract section 4). The layers around it refuse foreign origins, methods
// other than POST and bodies over the cap.
type Handler struct {
	// Current returns the server of the live content, nil if it has none.
	Current func() *Server
	// Tolerant serves messages whose version header is later than those supported.
	Tolerant bool
}

// Serve answers one message. Its error is a refusal of the transport; an error of the
// protocol is an answer with status 200.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	live := h.Current()
	if live == nil { // a reload has just switched trials off
		return contract.NoEndpoint("")
	}
	m, fault := parse(payload.Bytes(r))
	if err := h.checkVersion(r.Header.Values(contract.HeaderMCPVersion), m); err != nil {
		return err
	}
	if payload.ParseAccept(r.Header.Values("Accept")).Best(contract.TypeJSON) == "" {
		return refuse(notAcceptable(), contract.RPCServerError, m.id)
	}
	if err := payload.CheckCoding(r); err != nil {
		return refuse(err, contract.RPCInvalidRequest, m.id)
	}
	if fault != nil {
		return fault
	}
	if m.id == nil || m.method == "" {
		// Notifications and responses need no handling, and mcp-go would let a cancellation
		// end the calls of other clients.
		writeAccepted(w)
		return nil
	}
	tail, err := live.answer(r.Context(), &call{id: m.id, header: r.Header, w: w}, m)
	if err != nil {
		return err
	}
	writeReply(w, m.id, tail)
	return nil
}

// checkVersion refuses headers with an unsupported protocol version. The header applies
// to messages after initialize (MCP 2025-06-18, Transports), but real clients send their
// proposed version with initialize too, which is part of the negotiation. server/discover is
// refused even by a tolerant handler, so that newer clients fall back to initialize.
func (h *Handler) checkVersion(given []string, m message) error {
	for _, version := range given {
		tolerated := h.Tolerant && m.method != mcp.MethodServerDiscover && contract.MCPVersionLater(version)
		if !contract.MCPVersionSpoken(version) && !tolerated && !m.proposes(version) {
			return refuseVersion(version, m.id)
		}
	}
	return nil
}

// proposes reports whether m is an initialize that proposes a protocol version.
func (m message) proposes(version string) bool {
	if m.method != mcp.MethodInitialize || version == "" {
		return false
	}
	p, err := readParams(m)
	if err != nil {
		return false
	}
	proposed, _ := p.text(paramVersion)
	return proposed == version
}

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
