package mcpserver

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/negotiate"
	"frontdesk/internal/payload"
)

// Handler is the endpoint of an MCP server: Streamable HTTP without a session and
// without event streams (contract section 4). The layers around it have refused
// foreign origins, other methods than POST and bodies over the cap.
type Handler struct {
	// Current returns the server of the content that is live.
	Current func() *Server
}

// Serve answers one message. The error is a refusal of the transport: what fails
// behind the protocol is an answer with the status 200.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	m, fault := parse(payload.Bytes(r))
	if err := checkHeaders(r); err != nil {
		return refuse(err, codeOf(err), m.id)
	}
	if fault != nil {
		return fault
	}
	if !m.isRequest() {
		// Nothing waits for a notification here, and mcp-go would let the one that
		// cancels a call reach the calls of every client.
		accepted(w)
		return nil
	}
	tail, err := h.Current().answer(r.Context(), &call{id: m.id, w: w}, m)
	if err != nil {
		return err
	}
	writeReply(w, m.id, tail)
	return nil
}

// checkHeaders holds what the headers of every message must say.
func checkHeaders(r *http.Request) error {
	for _, version := range r.Header[contract.HeaderMCPVersion] {
		if !contract.MCPVersionSpoken(version) {
			return versionRefused("The header MCP-Protocol-Version names a version that this server does not speak.")
		}
	}
	if !acceptsJSON(r.Header["Accept"]) {
		return &contract.Error{
			Code:   contract.InvalidRequest,
			Status: http.StatusNotAcceptable,
			Detail: "The Accept header excludes " + contract.TypeJSON + ", the only type that this server answers with.",
			Hint:   "Send Accept: " + usualAccept + ", or no Accept header.",
		}
	}
	return payload.CheckCoding(r)
}

// usualAccept is what every client of the protocol must send (MCP, Transports).
const usualAccept = contract.TypeJSON + ", text/event-stream"

func acceptsJSON(accept []string) bool {
	if len(accept) == 1 && accept[0] == usualAccept {
		return true // told at a glance: reading it would cost as much as the envelope
	}
	return negotiate.Parse(accept).Quality(contract.TypeJSON) > 0
}

// codeOf is the JSON-RPC code of a refused header.
func codeOf(err error) int {
	if contract.AsError(err).Status != 0 {
		return contract.RPCServerError
	}
	return contract.RPCInvalidRequest
}
