package conform

import (
	"slices"
	"strings"
)

// firstOf is the first of the answers; that there is none fails the check.
func (p *probe) firstOf(answers []*answer) *answer {
	if len(answers) == 0 {
		p.expected("an answer", "the connection was closed without one")
	}
	return answers[0]
}

// wire are bytes that are no well-formed HTTP, and how a server must take them
// (RFC 9110, RFC 9112). None may be read as a second request.
func wire() []Check {
	const body = `{"q":"x"}`
	checks := []Check{
		{Section: "D.wire", Name: "wire-pipelined", Rude: true,
			Says: "Two pipelined requests get two answers (RFC 9112 9.3).",
			Run: func(p *probe) {
				answers := p.all("GET /v1/health HTTP/1.1\r\nHost: {host}\r\n\r\nGET /v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
				if p.firstOf(answers).is(200); len(answers) != 2 {
					answers[0].fail("two answers, not %d", len(answers))
				}
			}},
		{Section: "D.wire", Name: "wire-lengths-of-two-kinds", Rude: true,
			Says: "With Content-Length and Transfer-Encoding the bytes after the body are not answered as a request.",
			Run: func(p *probe) {
				answers := p.all("POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
				if p.firstOf(answers).is(400, 404); len(answers) > 1 && answers[1].status == 200 && answers[0].status == 400 {
					answers[1].fail("no answer to what came after a refused request")
				}
			}},
	}
	for _, row := range []struct {
		name, says, bytes string
		allowed           []int // 0: closed without an answer
	}{
		{"two-lengths", "Two differing Content-Length are 400 (RFC 9112 6.3).", "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\nContent-Length: 3\r\n\r\n" + body, []int{400}},
		{"negative-length", "A negative Content-Length is 400.", "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n", []int{400}},
		{"plus-length", "A signed Content-Length is 400.", "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nContent-Length: +9\r\n\r\n" + body, []int{400}},
		{"worded-length", "A Content-Length that is no number is 400.", "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nContent-Length: nine\r\n\r\n" + body, []int{400}},
		{"unknown-coding", "An unknown transfer coding is refused (RFC 9112 6.1).", "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: zip\r\n\r\n", []int{400, 501}},
		{"bad-chunk", "A malformed chunk is no body.", "POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", []int{400, 0}},
		{"no-host", "HTTP/1.1 without Host is 400 (RFC 9112 3.2).", "GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n", []int{400}},
		{"two-hosts", "Two Host fields are 400.", "GET /v1/health HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", []int{400}},
		{"bad-host", "A malformed Host is 400.", "GET /v1/health HTTP/1.1\r\nHost: a b/c\r\n\r\n", []int{400}},
		{"nul-in-a-header", "A NUL in a field is refused (RFC 9110 5.5).", "GET /v1/health HTTP/1.1\r\nHost: {host}\r\nX-A: a\x00b\r\n\r\n", []int{400}},
		{"space-before-colon", "White space before a colon is refused (RFC 9112 5.1).", "GET /v1/health HTTP/1.1\r\nHost: {host}\r\nX-A : b\r\n\r\n", []int{400}},
		{"folded-header", "A folded line is refused or read as one (RFC 9112 5.2).", "GET /v1/health HTTP/1.1\r\nHost: {host}\r\nX-A: a\r\n b\r\nConnection: close\r\n\r\n", []int{200, 400}},
		{"http-3-words", "An unknown version is refused.", "GET /v1/health HTTP/9.9\r\nHost: {host}\r\n\r\n", []int{400, 505}},
		{"http-0.9", "HTTP/0.9 is refused.", "GET /v1/health\r\n\r\n", []int{400, 0}},
		{"lower-method", "A method is compared with its case.", "get /v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", []int{400, 405}},
		{"bad-escape", "A bad escape in the path is refused.", "GET /v1/health%zz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", []int{400, 404}},
		{"space-in-path", "A space in the path is refused.", "GET /v1/he alth HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", []int{400, 404}},
		{"line-in-path", "A bare line feed splits nothing.", "GET /v1/health\nX: y HTTP/1.1\r\nHost: {host}\r\n\r\n", []int{400, 0}},
		{"absolute-form", "The absolute form names the same resource (RFC 9112 3.2.2).", "GET http://{host}/v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", []int{200}},
		{"options-star", "OPTIONS * breaks nothing.", "OPTIONS * HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", []int{200, 204, 400, 403, 404, 405}},
		{"connect", "The service is no proxy.", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nConnection: close\r\n\r\n", []int{400, 404, 405}},
		{"tls-hello", "Bytes that are no HTTP break nothing.", "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n", []int{400, 0}},
		{"http-2-preface", "The preface of HTTP/2 breaks nothing.", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400, 404, 405, 505, 0}},
		{"many-headers", "A thousand fields are no fault of the service.", "GET /v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n" + strings.Repeat("X-A: b\r\n", 1000) + "\r\n", []int{200, 400, 431}},
	} {
		checks = append(checks, Check{Section: "D.wire", Name: "wire-" + row.name, Rude: true,
			Says: row.says,
			Run: func(p *probe) {
				answers := p.all(row.bytes)
				if len(answers) == 0 {
					if !slices.Contains(row.allowed, 0) {
						p.firstOf(answers)
					}
					return
				}
				if answers[0].is(row.allowed...); len(answers) > 1 {
					answers[1].fail("one answer, not %d", len(answers))
				}
			}})
	}
	return checks
}
