package contract_test

import (
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/routes"
)

// grammar makes requests like those of the sequences and changes most of them.
type grammar struct {
	source
	paths []string
}

func newGrammar(seed, worker int) grammar {
	return grammar{source{rand.New(rand.NewPCG(uint64(seed), uint64(worker)))}, slices.Sorted(maps.Keys(routes.Patterns()))}
}

// ownOrigin is an additional origin that the service accepts.
const ownOrigin = "https://shop.example"

// address returns one of a few addresses that reach their limits, or one of many that do
// not.
func (g grammar) address() net.IP {
	if g.one(2) {
		return net.IPv4(127, 99, 0, byte(1+g.IntN(20)))
	}
	return net.IPv4(127, 99, byte(1+g.IntN(20)), byte(1+g.IntN(200)))
}

func pick[T any](g grammar, of ...T) T { return of[g.IntN(len(of))] }

func (g grammar) request() *rawRequest {
	s := g.step()
	for s.is.policy == contract.ContactPolicy.Name && !s.is.dry && !g.one(4) { // keep real sends rare: each is synced to the disk
		s = g.step()
	}
	f := &rawRequest{method: s.method, target: s.path, header: []string{"Host: localhost:8080"}}
	for name, values := range s.header {
		f.header = append(f.header, name+": "+values[0])
	}
	slices.Sort(f.header)
	if s.method != http.MethodGet {
		f.body = strings.ReplaceAll(s.body, "{digest}", strings.Repeat("0", 64))
	}
	if g.one(200) {
		f.method, f.header = http.MethodOptions, append(f.header, "Origin: "+ownOrigin, "Access-Control-Request-Method: POST")
	}
	for range g.IntN(4) {
		pick(g, g.changeMethod, g.changeTarget, g.changeHeader, g.changeHeader, g.changeBody, g.changeBody, g.changeBody)(f)
	}
	f.length = len(f.body)
	if g.one(30) {
		g.reframe(f)
	}
	return f
}

func (g grammar) changeMethod(f *rawRequest) {
	f.method = pick(g, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "G3T", "", "GE T", "PÖST")
}

func (g grammar) changeTarget(f *rawRequest) {
	switch g.IntN(6) {
	case 0, 1:
		f.target = pick(g, g.paths...)
	case 2:
		f.target += pick(g, "/", "//", "/..", "/.", "?", "?q=1", "?dry_run=true", "#x", "%00", "%2f", "%zz", ";v=1", " ", "\t", ".md", "é", strings.Repeat("/a", 3000))
	case 3:
		f.target = pick(g, "*", "/", "", "http://localhost:8080"+f.target, "//evil.example"+f.target, "http://[::1", "/../../etc/passwd", "/%2e%2e/v1/health", "v1/health")
	case 4:
		f.target = strings.ToUpper(f.target)
	default:
		f.target = string(g.bytes([]byte(f.target)))
	}
	// A line break would begin a header, and an empty target is no request.
	f.target = strings.NewReplacer("\r", "", "\n", "").Replace(f.target)
}

func (g grammar) changeHeader(f *rawRequest) {
	if g.one(4) && len(f.header) > 0 {
		f.header = slices.Delete(f.header, 0, 1+g.IntN(len(f.header)))
		return
	}
	any_ := func() string {
		return strings.NewReplacer("\r", "", "\n", "").Replace(string(g.bytes([]byte("a=b; q=0.5, c"))))
	}
	f.header = append(f.header, pick(g,
		"Origin: "+pick(g, "http://localhost:8080", ownOrigin, ownOrigin, "https://elsewhere.example", "null", "", any_()),
		"Access-Control-Request-Method: POST",
		"Accept: "+pick(g, "text/html", "text/markdown", "*/*", "application/json;q=0", "text/event-stream", "", any_()),
		"Content-Type: "+pick(g, contract.TypeJSON, contract.TypeForm, "text/plain", "multipart/form-data; boundary=x", "", any_()),
		"Content-Encoding: "+pick(g, "gzip", "identity", "br", any_()),
		"Idempotency-Key: "+pick(g, "", "a b", `"quoted"`, `"open`, strings.Repeat("k", 300), any_()),
		"X-Forwarded-For: "+pick(g, "203.0.113.9", "unknown", any_()),
		"X-Request-Id: "+pick(g, "mine-1", strings.Repeat("x", 65), any_()),
		"Mcp-Protocol-Version: "+pick(g, "2025-06-18", "2025-03-26", "2024-11-05", "", any_()),
		"If-None-Match: "+pick(g, "*", `"x"`, `W/"x", "y"`, any_()),
		"Range: "+pick(g, "bytes=0-3", any_()),
		"Authorization: "+pick(g, "Bearer x", "Basic !", any_()),
		"Cookie: session="+any_(),
		"Accept-Signature: "+pick(g, `sig1=("@status")`, `sig1=();keyid="x"`, any_()),
		"Signature: "+pick(g, "sig1=:AAAA:", any_()),
		"Signature-Input: "+pick(g, `sig1=("@authority");created=1;keyid="x";tag="web-bot-auth"`, any_()),
		"X-Http-Method-Override: DELETE",
		"Host: "+pick(g, "elsewhere.example", "", any_()),
		any_()+": x", any_(),
		"X-Long: "+strings.Repeat("x", pick(g, 100, 20_000, 40_000)),
	))
}

func (g grammar) changeBody(f *rawRequest) {
	switch g.IntN(6) {
	case 0:
		f.body = pick(g, "", "{}", "[]", "null", "7", `"x"`, "{", "[{}]", "\x00", "\xef\xbb\xbf{}", strings.Repeat("[", 4000), strings.Repeat("a", 9000),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}}`, `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`)
	case 1:
		f.body = g.request().body // of another endpoint
	default:
		f.body = string(g.bytes([]byte(f.body)))
	}
}

// bytes changes a text in one to three places.
func (g grammar) bytes(text []byte) []byte {
	for range 1 + g.IntN(3) {
		at := g.IntN(len(text) + 1)
		end := min(len(text), at+1+g.IntN(8))
		switch g.IntN(4) {
		case 0:
			text = slices.Delete(text, at, end)
		case 1:
			text = slices.Insert(text, at, slices.Clone(text[at:end])...)
		case 2:
			text = slices.Insert(text, at, []byte(pick(g, `"`, `\`, "{", "}", ",", ":", "null", "true", "1e999", "-0", `\u0000`, `\ud800`, "\xff", "\u202e", " ", "\r\n", "&", "=", "%", "%00", "dry_run"))...)
		case 3:
			if at < len(text) {
				text[at] = byte(g.IntN(256))
			}
		}
	}
	return text
}

// reframe changes how the body is sent, or gives a wrong length.
func (g grammar) reframe(f *rawRequest) {
	if g.one(2) {
		f.chunked = f.body != ""
		return
	}
	f.length = pick(g, f.length/2, f.length+1, f.length+10_000)
}
