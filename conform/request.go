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

// request is what a check sends, to be written byte by byte: net/http's client
// would tidy it up.
type request struct {
	method, path string
	header       []string // lines "Name: value", in order, repeated ones kept
	body         string
	chunked      bool
	// wire is the whole request as bytes, for what is no HTTP; nothing else is set
	// beside it. {host} stands for the target's authority.
	wire string
	// takes names the policy whose slot the request takes. Questions need not say it.
	takes string
	// provoked says that a failed delivery is what the check is after.
	provoked bool
}

const (
	typeJSON = "Content-Type: application/json"
	typeForm = "Content-Type: application/x-www-form-urlencoded"
)

func get(path string, header ...string) request {
	return request{method: http.MethodGet, path: path, header: header}
}

func postJSON(path, body string, header ...string) request {
	return request{method: http.MethodPost, path: path, header: append([]string{typeJSON}, header...), body: body}
}

func postForm(path, body string, header ...string) request {
	return request{method: http.MethodPost, path: path, header: append([]string{typeForm}, header...), body: body}
}

// cost names the policy whose slot the request takes; empty for none.
func (r request) cost() string {
	switch {
	case r.takes != "" || r.method != http.MethodPost:
		return r.takes
	case slices.Contains([]string{contract.PathAsk, contract.PathAskAlias, contract.PathFeedback, contract.PathAskPage}, r.path):
		return contract.AskPolicy.Name
	case r.path == contract.PathMCP && strings.Contains(r.body, contract.ToolAskFAQ):
		return contract.AskPolicy.Name
	}
	return ""
}

func (r request) has(name string) bool {
	for _, line := range r.header {
		if key, _, _ := strings.Cut(line, ":"); strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// bytes is the request as it goes over the wire to a target.
func (r request) bytes(target *url.URL) []byte {
	if r.wire != "" {
		return []byte(strings.ReplaceAll(r.wire, "{host}", target.Host))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", r.method, target.EscapedPath()+r.path)
	if !r.has("Host") {
		fmt.Fprintf(&b, "Host: %s\r\n", target.Host)
	}
	for _, line := range r.header {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("Connection: close\r\n")
	switch {
	case r.chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
		for _, piece := range []string{r.body[:len(r.body)/2], r.body[len(r.body)/2:]} {
			if piece != "" {
				fmt.Fprintf(&b, "%x\r\n%s\r\n", len(piece), piece)
			}
		}
		b.WriteString("0\r\n\r\n")
	case r.body != "" || r.method == http.MethodPost:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(r.body), r.body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}
