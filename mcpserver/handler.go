package mcpserver

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/negotiate"
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
	if negotiate.Parse(r.Header.Values("Accept")).Best(contract.TypeJSON) == "" {
		return refuse(notAcceptable(), contract.RPCServerError, m.id)
	}
	if err := payload.CheckCoding(r); err != nil {
		return refuse(err, contract.RPCInvalidRequest, m.id)
	}
	if fault != nil {
		return fault
	}
	if !m.isRequest() {
		// Notifications need no handling, and mcp-go would let a cancellation end the
		// calls of other clients.
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
