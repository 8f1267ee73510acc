package mcpserver

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
)

// discard is a response writer without cost.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// BenchmarkServe measures one message through the layers of the tests: log, client
// address, body cap, transport, core. Every call comes from a new client.
func BenchmarkServe(b *testing.B) {
	for name, message := range map[string]string{
		"list_services": toolCall("list_services", `{}`),
		"get_service":   toolCall("get_service", `{"id":"online-booking"}`),
		"initialize":    rpc("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`),
		"tools_list":    rpc("tools/list", `{}`),
		"read":          rpc("resources/read", `{"uri":"`+base+`/pricing"}`),
		"ask_faq":       toolCall("ask_faq", `{"q":"Who is it for?"}`),
		"pilot_dry_run": toolCall("request_pilot", `{"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello","dry_run":true}`),
	} {
		b.Run(name, func(b *testing.B) {
			f := newFront(b, nil)
			r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, contract.PathMCP, nil)
			r.Header.Set("Accept", "application/json, text/event-stream")
			body := bytes.NewReader(nil)
			b.ReportAllocs()
			for b.Loop() {
				r.RemoteAddr = newClient()
				body.Reset([]byte(message))
				r.Body, r.ContentLength = io.NopCloser(body), int64(len(message))
				f.website.ServeHTTP(discard{make(http.Header, 8)}, r)
				f.log.Reset()
			}
		})
	}
}
