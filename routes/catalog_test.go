package routes_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestCatalogForms(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	get := func(path string, header ...string) (int, http.Header, []byte) {
		w := f.send(t, alice, http.MethodGet, path, "", header...)
		return w.Code, w.Header(), w.Body.Bytes()
	}
	_, header, plain := get(contract.PathCatalog)
	tag := header.Get("ETag")
	if _, _, alias := get(contract.PathCatalogAlias); !bytes.Equal(plain, alias) {
		t.Error("the alias answers other bytes")
	}
	if header.Get(contract.HeaderRateLimit)+header.Get(contract.HeaderRateLimitPolicy) != "" {
		t.Error("the catalog has rate-limit headers")
	}
	catalog := expect.JSON[contract.Catalog](t, plain)
	if catalog.URL != base || catalog.Contact.URL != base+"/v1/contact" || catalog.Links.Workspace() != base+"/api/public/mcp" {
		t.Errorf("addresses = %+v", catalog)
	}

	packedTag := checkPacked(t, f, plain)
	if packedTag == tag {
		t.Errorf("the gzip form has the tag of the plain one: %s", tag)
	}

	tests := []struct {
		name, ifNoneMatch, encoding string
		status                      int
		tag                         string
	}{
		{"same", tag, "", 304, tag},
		{"weak", "W/" + tag, "", 304, tag},
		{"in a list", `"other", ` + tag, "", 304, tag},
		{"any", "*", "", 304, tag},
		{"any, gzip", "*", "gzip", 304, packedTag},
		{"gzip", packedTag, "gzip", 304, packedTag},
		{"other form", tag, "gzip", 304, tag},
		{"stale", `"other"`, "", 200, tag},
		{"unquoted", "nonsense", "", 200, tag},
	}
	for _, tt := range tests {
		code, header, body := get(contract.PathCatalog, "If-None-Match: "+tt.ifNoneMatch, "Accept-Encoding: "+tt.encoding)
		if code != tt.status || header.Get("ETag") != tt.tag {
			t.Errorf("%s: answer %d %v, want %d %s", tt.name, code, header.Get("ETag"), tt.status, tt.tag)
		}
		if (code == 304) != (len(body) == 0) || header.Get("Cache-Control") == "" || header.Get("Vary") == "" {
			t.Errorf("%s: %d bytes, headers %v", tt.name, len(body), header)
		}
	}
}

// checkPacked compares the catalog's gzip form with the plain one and returns its tag.
func checkPacked(t *testing.T, f front, plain []byte) string {
	t.Helper()
	w := f.send(t, alice, http.MethodGet, contract.PathCatalog, "", "Accept-Encoding: br, gzip")
	reader := expect.Value(gzip.NewReader(w.Body))(t)
	if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, plain) {
		t.Errorf("the gzip form is other bytes: %v", err)
	}
	header := w.Header()
	if header.Get("Content-Encoding") != "gzip" || header.Get("Vary") != "Accept-Encoding, Accept-Signature" {
		t.Errorf("headers of the gzip form: %v", header)
	}
	return header.Get("ETag")
}
