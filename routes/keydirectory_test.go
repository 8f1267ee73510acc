package routes_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestKeyDirectory checks the directory as it is sent (section 5.8).
func TestKeyDirectory(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	tests := []struct {
		name, method, address string
		header                []string
		status                int
		signed                bool
	}{
		{"own authority", "GET", base, nil, 200, true},
		{"HEAD", "HEAD", base, nil, 200, true},
		{"compression is welcome", "GET", base, []string{"Accept-Encoding: gzip"}, 200, true},
		{"a browser of any origin", "GET", base, []string{"Origin: https://verifier.example"}, 200, true},
		{"foreign Host", "GET", "https://evil.example", nil, 200, false},
		{"foreign Host behind a proxy", "GET", "https://evil.example", []string{"X-Forwarded-Host: desk.example"}, 200, false},
		{"held already", "GET", base, []string{"If-None-Match: *"}, 304, true},
	}
	for _, tt := range tests {
		w := f.send(t, alice, tt.method, tt.address+contract.PathKeyDirectory, "", tt.header...)
		header := w.Header()
		if w.Code != tt.status || (header["Signature"] != nil) != tt.signed || header.Get("Content-Digest") == "" {
			t.Errorf("%s: %d, %v; want %d, signed: %v", tt.name, w.Code, header, tt.status, tt.signed)
		}
		if got := header.Get("Content-Type"); got != contract.TypeKeyDirectory && tt.status == http.StatusOK {
			t.Errorf("%s: Content-Type = %q: verifiers compare its bytes", tt.name, got)
		}
		if header.Get("Content-Encoding") != "" || header.Get("Cache-Control") != "public, max-age=86400, no-transform" {
			t.Errorf("%s: header = %v, want it sent as it is", tt.name, header)
		}
		if header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(header.Get("Access-Control-Expose-Headers"), "Signature-Input") {
			t.Errorf("%s: a page of another origin cannot verify it: %v", tt.name, header)
		}
		if tt.status == http.StatusOK && !bytes.Equal(w.Body.Bytes(), directory(t).Body()) {
			t.Errorf("%s: body = %s", tt.name, w.Body)
		}
	}
}
