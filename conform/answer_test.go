package conform

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func reading(wire string) *bufio.Reader { return bufio.NewReader(strings.NewReader(wire)) }

func TestAnswer(t *testing.T) {
	t.Parallel()
	const ok, next = "HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
	for _, tt := range []struct {
		name, method, wire, body string
		status                   int
	}{
		{"length", "GET", ok + "Content-Length: 2\r\n\r\nok", "ok", 200},
		{"chunks", "GET", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n", "ok", 200},
		{"HEAD", "HEAD", ok + "Content-Length: 2\r\n\r\n", "", 200},
		{"no content", "GET", "HTTP/1.1 204 No Content\r\n\r\n", "", 204},
		{"interim", "POST", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nok", "ok", 200},
	} {
		r := reading(tt.wire + next)
		a, err := readAnswer(r, tt.method)
		if err != nil || a.Status != tt.status || string(a.Body) != tt.body {
			t.Fatalf("%s: answer %+v, %v", tt.name, a, err)
		}
		if a, err := readAnswer(r, tt.method); err != nil || a.Status != 404 {
			t.Errorf("%s: the answer behind it is lost: %+v, %v", tt.name, a, err)
		}
	}
	for wire, want := range map[string]error{
		ok + "\r\nto the end":                              nil,
		ok + "\r\n" + strings.Repeat("x", maxBody+1):       errTooLarge,
		strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 9): io.EOF,
		ok:                                 io.ErrUnexpectedEOF,
		ok + "Content-Length: 3\r\n\r\nok": io.ErrUnexpectedEOF,
	} {
		expect.Error(t, fmt.Sprintf("%.50q", wire), expect.ErrorOf(readAnswer(reading(wire), "GET")), want)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
		"HTTP/1.1 100 x\r\n\r\n", "HTTP/1.0 999\r\nA: \x1b\r\n\r\n\xff", "SSH-2.0-x\r\n\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		a, err := readAnswer(reading(wire), "GET")
		if err == nil && (a.Status < 200 || strings.ContainsAny(printable(a.excerpt()), "\x00\x1b\x7f\r")) {
			t.Fatalf("answer %d is shown as %q", a.Status, a.excerpt())
		}
	})
}
