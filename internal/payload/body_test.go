package payload

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"frontdesk/contract"
)

func TestRead(t *testing.T) {
	t.Parallel()
	const limit = 16
	chunked := func(body io.Reader) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/", body)
		r.ContentLength = -1
		return r
	}
	declared := func(body string) *http.Request {
		return httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(body))
	}
	unread := iotest.ErrReader(errors.New("the body must not be read"))
	tooLong := httptest.NewRequestWithContext(t.Context(), "POST", "/", unread)
	tooLong.ContentLength = limit + 1
	short := chunked(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF))) // as net/http reads it
	short.ContentLength = 5

	tests := []struct {
		name    string
		request *http.Request
		want    string
		code    contract.Code
	}{
		{"declared, one past, unread", tooLong, "", contract.PayloadTooLarge},
		{"chunked, endless", chunked(endless{}), "", contract.PayloadTooLarge},
		{"empty", declared(""), "", ""},
		{"ends early", short, "", contract.InvalidRequest},
		{"fails", chunked(unread), "", contract.InvalidRequest},
	}
	for _, tt := range tests {
		err := Read(tt.request, limit)
		if tt.code != "" {
			if got := contract.AsError(err).Code; err == nil || got != tt.code {
				t.Fatalf("%s: Read = %v, want %s", tt.name, err, tt.code)
			}
			continue
		}
		if err != nil || string(Bytes(tt.request)) != tt.want {
			t.Fatalf("%s: Read = %v, body %q; want %q", tt.name, err, Bytes(tt.request), tt.want)
		}
		again, err := io.ReadAll(tt.request.Body)
		if err != nil || !bytes.Equal(again, Bytes(tt.request)) {
			t.Errorf("%s: the kept body reads as %q, %v", tt.name, again, err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestCheckCoding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		coding []string
		ok     bool
	}{
		{"none", nil, true},
		{"empty", []string{""}, true},
		{"identity", []string{"Identity, identity"}, true},
		{"gzip", []string{"gzip"}, false},
		{"behind identity", []string{"identity, br"}, false},
		{"in a second line", []string{"", "zstd"}, false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
		r.Header["Content-Encoding"] = tt.coding
		if err := CheckCoding(r); (err == nil) != tt.ok {
			t.Errorf("%s: %v, want ok %v", tt.name, err, tt.ok)
		}
	}
}
