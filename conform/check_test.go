package conform

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestOnly(t *testing.T) {
	t.Parallel()
	all := []Check{{Section: "8", Name: "a-limit"}, {Section: "8.1", Name: "b-limit"},
		{Section: "80.mcp", Name: "mcp-get"}, {Section: "D.mcp", Name: "mcp-post"}}
	for patterns, want := range map[string]string{
		"": "a-limit b-limit mcp-get mcp-post", "8": "a-limit b-limit", "D": "mcp-post", "mcp-*": "mcp-get mcp-post",
		"*.mcp": "mcp-get mcp-post", "8.1 mcp-get": "b-limit mcp-get",
	} {
		names := ""
		for _, check := range expect.Value(selected(all, strings.Fields(patterns)))(t) {
			names += check.Name + " "
		}
		expect.Same(t, "--only "+patterns, want+" ", names)
	}
	expect.Says(t, "a pattern that names no check", expect.ErrorOf(selected(all, []string{"8", "nothing"})), "nothing")
}

const typeJSON = "Content-Type: application/json"

func get(path string, header ...string) Request {
	return Request{Method: "GET", Path: path, Header: header}
}

func post(path, body string, header ...string) Request {
	return Request{Method: "POST", Path: path, Header: append([]string{typeJSON}, header...), Body: body}
}
