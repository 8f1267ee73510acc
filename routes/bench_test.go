package routes_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/test/harness"
)

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// BenchmarkStack measures a request through all layers, with log and limits. Every
// request except those over the limit comes from a new client.
func BenchmarkStack(b *testing.B) {
	benchmarks := []struct {
		name, method, path, body string
		header                   [2]string
		oneClient                bool
	}{
		{name: "health", method: "GET", path: contract.PathHealth},
		{name: "catalog", method: "GET", path: contract.PathCatalog},
		{name: "catalog-304", method: "GET", path: contract.PathCatalog, header: [2]string{"If-None-Match", "*"}},
		{name: "catalog-gzip", method: "GET", path: contract.PathCatalog, header: [2]string{"Accept-Encoding", "gzip"}},
		{name: "ask", method: "POST", path: contract.PathAsk, body: ask},
		{name: "ask-selector", method: "POST", path: contract.PathAsk, body: `{"q":"How much does it cost per month?"}`},
		{name: "ask-429", method: "POST", path: contract.PathAsk, body: ask, oneClient: true},
		{name: "404", method: "GET", path: "/v1/nope"},
		{name: "405", method: "DELETE", path: contract.PathAsk},
		{name: "413", method: "POST", path: contract.PathAsk, body: strings.Repeat("x", contract.CapAsk+1)},
		{name: "page", method: "GET", path: contract.PathHome},
		{name: "dry-run", method: "POST", path: contract.PathContact, body: dry},
		{name: "mcp-list_services", method: "POST", path: contract.PathMCP, body: harness.ToolCall("list_services", `{}`)},
		{name: "mcp-initialize", method: "POST", path: contract.PathMCP, body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`},
		{name: "mcp-ask_faq", method: "POST", path: contract.PathMCP, body: harness.ToolCall("ask_faq", ask)},
	}
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			f := newFrontWith(b, io.Discard, nil)
			r := httptest.NewRequestWithContext(b.Context(), bb.method, bb.path, nil)
			if bb.header[0] != "" {
				r.Header.Set(bb.header[0], bb.header[1])
			}
			body := bytes.NewReader([]byte(bb.body))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if !bb.oneClient {
					r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1).String()
				}
				body.Reset([]byte(bb.body))
				r.Body, r.ContentLength = io.NopCloser(body), int64(len(bb.body))
				f.ServeHTTP(discard{make(http.Header, 8)}, r)
			}
		})
	}
}
