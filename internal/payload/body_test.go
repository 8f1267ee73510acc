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
	request := func(length int64, body io.Reader) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/", body)
		r.ContentLength = length
		return r
	}
	unread := iotest.ErrReader(errors.New("the body must not be read"))
	cut := io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF)) // as net/http reads it
	for _, tt := range []struct {
		name    string
		request *http.Request
		code    contract.Code
	}{
		{"declared, far past, unread", request(limit+maxDrained+1, unread), contract.PayloadTooLarge},
		{"chunked, endless", request(-1, endless{}), contract.PayloadTooLarge},
		{"ends early", request(5, cut), contract.InvalidRequest},
		{"fails", request(-1, unread), contract.InvalidRequest},
	} {
		err := Read(tt.request, limit)
		if got := contract.AsError(err).Code; err == nil || got != tt.code {
			t.Fatalf("%s: Read = %v, want %s", tt.name, err, tt.code)
		}
	}
	for _, body := range []string{"", "abc"} {
		r := request(int64(len(body)), strings.NewReader(body))
		expect.OK(t, Read(r, limit))
		again := expect.Value(io.ReadAll(r.Body))(t)
		expect.Same(t, "the body", []string{body, body}, []string{string(Bytes(r)), string(again)})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestCheckCoding(t *testing.T) {
	t.Parallel()
	for ok, codings := range map[bool][][]string{
		true:  {nil, {""}, {"Identity, identity"}},
		false: {{"gzip"}, {"identity, br"}, {"", "zstd"}},
	} {
		for _, coding := range codings {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
			r.Header["Content-Encoding"] = coding
			expect.Same(t, fmt.Sprint(coding), ok, CheckCoding(r) == nil)
		}
	}
}
