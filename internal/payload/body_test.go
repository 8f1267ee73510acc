package payload

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// A client that sends a megabyte reads its 413, and may go on.
func TestTooLargeKeepsTheConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(contract.AsError(Read(r, 2048)).HTTPStatus())
	}))
	defer server.Close()
	const megabyte = 1 << 20
	for name, tt := range map[string]struct {
		head   string
		body   int
		closed bool
	}{
		"declared":         {fmt.Sprintf("Content-Length: %d\r\n\r\n", megabyte), megabyte, false},
		"in chunks":        {fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", megabyte-2048), megabyte - 2048, false},
		"far too long":     {fmt.Sprintf("Content-Length: %d\r\n\r\n", 4*megabyte), 0, true},
		"waits for a sign": {fmt.Sprintf("Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", megabyte), 0, true},
	} {
		conn := expect.Value(net.Dial("tcp", server.Listener.Addr().String()))(t)
		defer conn.Close()
		expect.Value(io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+tt.head+strings.Repeat("a", tt.body)))(t)
		if strings.Contains(tt.head, "chunked") {
			expect.Value(io.WriteString(conn, "\r\n0\r\n\r\n"))(t)
		}
		answer := expect.Value(http.ReadResponse(bufio.NewReader(conn), nil))(t)
		expect.Same(t, name+": status", http.StatusRequestEntityTooLarge, answer.StatusCode)
		expect.Same(t, name+": closed", tt.closed, answer.Close)
	}
}

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
	tooLong.ContentLength = limit + maxDrained + 1
	short := chunked(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF))) // as net/http reads it
	short.ContentLength = 5

	tests := []struct {
		name    string
		request *http.Request
		want    string
		code    contract.Code
	}{
		{"declared, far past, unread", tooLong, "", contract.PayloadTooLarge},
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
		expect.Error(t, tt.name, err, nil)
		expect.Same(t, tt.name, tt.want, string(Bytes(tt.request)))
		again, err := io.ReadAll(tt.request.Body)
		expect.Error(t, tt.name+", kept", err, nil)
		expect.Same(t, tt.name+", kept", string(Bytes(tt.request)), string(again))
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
		expect.Same(t, tt.name, tt.ok, CheckCoding(r) == nil)
	}
}
