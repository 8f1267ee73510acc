package handlers

import (
	"net/http"
	"strconv"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// writeJSON answers 200 with a value as JSON.
func writeJSON(w http.ResponseWriter, value any) { writeEncoded(w, payload.JSON(value)) }

// writeEncoded answers 200 with encoded JSON.
func writeEncoded(w http.ResponseWriter, body []byte) {
	w.Header().Set("Cache-Control", "no-store")
	writeBody(w, http.StatusOK, contract.TypeJSON, body)
}

// writeBody sends an answer. Without a Content-Length net/http would send a long body in
// chunks.
func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only when the client has gone
}
