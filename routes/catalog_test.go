package routes_test

import (
	"bytes"
	"net/http"
	"testing"

	"frontdesk/contract"
)

func TestCatalogForms(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	get := func(path string, header ...string) (int, http.Header, []byte) {
		w := f.send(t, alice, "GET", path, "", header...)
		return w.Code, w.Header(), w.Body.Bytes()
	}
	_, plain, text := get(contract.PathCatalog)
	if _, _, alias := get(contract.PathCatalogAlias); !bytes.Equal(text, alias) {
		t.Error("the alias answers other bytes")
	}
	_, packed, _ := get(contract.PathCatalog, "Accept-Encoding: br, gzip")
	tag, packedTag := plain.Get("ETag"), packed.Get("ETag")
	for _, tt := range []struct {
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
	} {
		code, header, body := get(contract.PathCatalog, "If-None-Match: "+tt.ifNoneMatch, "Accept-Encoding: "+tt.encoding)
		if code != tt.status || header.Get("ETag") != tt.tag || (code == 304) != (len(body) == 0) {
			t.Errorf("%s: answer %d %v of %d bytes, want %d %s", tt.name, code, header.Get("ETag"), len(body), tt.status, tt.tag)
		}
	}
}
