package checks

import (
	"slices"
	"strings"

	"frontdesk/conform"
)

// The beginning of requests, and the end of the last one on its connection.
const (
	getLines  = "GET /v1/health HTTP/1.1\r\nHost: {host}\r\n"
	postLines = "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\n"
	closing   = "Connection: close\r\n\r\n"
)

// wire adds checks of how the server reads malformed HTTP (RFC 9110, RFC 9112). None of it
// may be read as a second request.
func wire(l *list) {
	const body = `{"q":"x"}`
	l.run("D.wire", "wire-pipelined", "Two pipelined requests get two answers (RFC 9112 9.3).", func(p *conform.Probe) {
		answers := p.SendRaw(getLines + "\r\n" + getLines + closing)
		if isOK(p.First(answers)); len(answers) != 2 {
			answers[0].Fail("two answers, not %d", len(answers))
		}
	}).LoopbackOnly = true
	l.run("D.wire", "wire-lengths-of-two-kinds", "After a refused message with two kinds of length, the bytes that follow are not answered as a request (RFC 9112 6.1).", func(p *conform.Probe) {
		answers := p.SendRaw(postLines + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + getLines + closing)
		if statusIs(400, 404)(p.First(answers)); len(answers) > 1 && answers[1].Status == 200 && answers[0].Status == 400 {
			answers[1].Fail("no answer to what came after a refused request")
		}
	}).LoopbackOnly = true
	for _, row := range []struct {
		name, sentence, bytes string
		allowed               []int // statuses; 0 is a connection that is closed without an answer
	}{
		{"two-lengths", "Two differing Content-Length are 400 (RFC 9112 6.3).", postLines + "Content-Length: 9\r\nContent-Length: 3\r\n\r\n" + body, []int{400}},
		{"negative-length", "A negative Content-Length is 400.", postLines + "Content-Length: -1\r\n\r\n", []int{400}},
		{"plus-length", "A signed Content-Length is 400.", postLines + "Content-Length: +9\r\n\r\n" + body, []int{400}},
		{"worded-length", "A Content-Length that is no number is 400.", postLines + "Content-Length: nine\r\n\r\n" + body, []int{400}},
		{"unknown-coding", "An unknown transfer coding is refused (RFC 9112 6.1).", postLines + "Transfer-Encoding: zip\r\n\r\n", []int{400, 501}},
		{"bad-chunk", "A malformed chunk is refused.", "POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", []int{400, 0}},
		{"no-host", "HTTP/1.1 without Host is 400 (RFC 9112 3.2).", "GET /v1/health HTTP/1.1\r\n" + closing, []int{400}},
		{"two-hosts", "Two Host fields are 400.", getLines + "Host: evil.example\r\n\r\n", []int{400}},
		{"bad-host", "A malformed Host is 400.", "GET /v1/health HTTP/1.1\r\nHost: a b/c\r\n\r\n", []int{400}},
		{"nul-in-a-header", "A NUL in a field is refused (RFC 9110 5.5).", getLines + "X-A: a\x00b\r\n\r\n", []int{400}},
		{"space-before-colon", "White space before a colon is refused (RFC 9112 5.1).", getLines + "X-A : b\r\n\r\n", []int{400}},
		{"folded-header", "A folded line is refused or read as one (RFC 9112 5.2).", getLines + "X-A: a\r\n b\r\n" + closing, []int{200, 400}},
		{"http-3-words", "An unknown version is refused.", "GET /v1/health HTTP/9.9\r\nHost: {host}\r\n\r\n", []int{400, 505}},
		{"http-0.9", "HTTP/0.9 is refused.", "GET /v1/health\r\n\r\n", []int{400, 0}},
		{"lower-method", "Methods are case-sensitive.", "get /v1/health HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{400, 405}},
		{"bad-escape", "A bad escape in the path is refused.", "GET /v1/health%zz HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{400, 404}},
		{"space-in-path", "A space in the path is refused.", "GET /v1/he alth HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{400, 404}},
		{"line-in-path", "A bare line feed does not end a field.", "GET /v1/health\nX: y HTTP/1.1\r\nHost: {host}\r\n\r\n", []int{400, 0}},
		{"absolute-form", "The absolute form names the same resource (RFC 9112 3.2.2).", "GET http://{host}/v1/health HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{200}},
		{"options-star", "OPTIONS * does no harm.", "OPTIONS * HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{200, 204, 400, 403, 404, 405}},
		{"connect", "The service is not a proxy.", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n" + closing, []int{400, 404, 405}},
		{"tls-hello", "Bytes that are not HTTP do no harm.", "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n", []int{400, 0}},
		{"http-2-preface", "The preface of HTTP/2 does no harm.", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400, 404, 405, 505, 0}},
		{"many-headers", "A thousand fields are answered or refused, not a fault.", getLines + "Connection: close\r\n" + strings.Repeat("X-A: b\r\n", 1000) + "\r\n", []int{200, 400, 431}},
	} {
		l.run("D.wire", "wire-"+row.name, row.sentence, func(p *conform.Probe) {
			answers := p.SendRaw(row.bytes)
			if len(answers) == 0 && slices.Contains(row.allowed, 0) {
				return
			}
			if statusIs(row.allowed...)(p.First(answers)); len(answers) > 1 {
				answers[1].Fail("one answer, not %d", len(answers))
			}
		}).LoopbackOnly = true
	}
}
