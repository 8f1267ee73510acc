package conform

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk/contract"
)

// Request is a request of a check. It is written without net/http's client, which would
// normalize it.
type Request struct {
	Method, Path string
	Header       []string // lines "Name: value", in order; may repeat
	Body         string
	Chunked      bool
	// Uses names the policy whose slot the request takes. Questions need not set it.
	Uses string
	// FailsDelivery marks a request whose mail the check makes fail.
	FailsDelivery bool
}

// Policy names the policy whose slot the request takes, "" for none.
func (r Request) Policy() string {
	paths := []string{contract.PathAsk, contract.PathAskAlias, contract.PathFeedback, contract.PathAskPage}
	asks := slices.Contains(paths, r.Path) || r.Path == contract.PathMCP && strings.Contains(r.Body, contract.ToolAskFAQ)
	if r.Uses == "" && r.Method == http.MethodPost && asks {
		return contract.AskPolicy.Name
	}
	return r.Uses
}

// ProblemType returns the media type of an error: application/problem+json, or plain
// JSON at the MCP servers for a client that lists JSON but not problem+json.
func (r Request) ProblemType() string {
	isMCP, accept := r.Path == contract.PathMCP || r.Path == contract.PathWorkspaceMCP,
		strings.Join(r.values("Accept"), ",")
	if isMCP && strings.Contains(accept, contract.TypeJSON) && !strings.Contains(accept, contract.TypeJSON+";q=0") &&
		!strings.Contains(accept, contract.TypeProblem) {
		return contract.TypeJSON
	}
	return contract.TypeProblem
}

// Has reports whether the request sets a header.
func (r Request) Has(name string) bool { return len(r.values(name)) > 0 }

func (r Request) values(name string) (values []string) {
	for _, line := range r.Header {
		if key, value, _ := strings.Cut(line, ":"); strings.EqualFold(key, name) {
			values = append(values, value)
		}
	}
	return values
}

// shownRequest is how much of a request a report shows, in bytes.
const shownRequest = 600

// excerpt returns the beginning of the request as it is sent to a target, for a report.
func (r Request) excerpt(target *url.URL) string {
	return shown(r.bytes(target), shownRequest)
}

// bytes returns the request as it is sent to a target.
func (r Request) bytes(target *url.URL) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", r.Method, target.EscapedPath()+r.Path)
	if !r.Has("Host") {
		fmt.Fprintf(&b, "Host: %s\r\n", target.Host)
	}
	if !r.Has("User-Agent") {
		fmt.Fprintf(&b, "User-Agent: %s\r\n", contract.ConformUserAgent)
	}
	for _, line := range r.Header {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("Connection: close\r\n")
	switch {
	case r.Chunked:
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(r.Body), r.Body)
	case r.Body != "" || r.Method == http.MethodPost:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(r.Body), r.Body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}
