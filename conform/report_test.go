package conform

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

func TestReportForms(t *testing.T) {
	t.Parallel()
	report := Report{URL: "http://desk.example", Mode: modeRemote, Millis: 1250, Results: []Result{
		{Name: "health-is-ok", Section: "4.health", Sentence: "GET /v1/health is 200.", Status: Pass, Millis: 2},
		{Name: "not-found-v1", Section: "7", Sentence: "404 not_found: no endpoint at the path.", Status: Fail, Millis: 3,
			Expected: "status 404 Not Found", Got: "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<h1>\x1b[31m & ]]></h1>",
			Sent: "GET /v1/nope HTTP/1.1\nHost: desk.example"},
		{Name: "q-is-required", Section: "2", Sentence: "q is required.", Status: Skip, Reason: "it is late"},
		{Name: "q-is-not-empty", Section: "2", Sentence: "q is not empty.", Status: Skip, Reason: "it is late"},
		{Name: "real-send-mails-once", Section: "6", Sentence: "One mail.", Status: Skip, Reason: needsSend},
	}}
	report.count()
	var text bytes.Buffer
	expect.OK(t, report.Text(&text))
	asJSON := expect.Value(json.MarshalIndent(report, "", "  "))(t)
	golden.Check(t, filepath.Join("testdata", "report.golden.txt"), text.Bytes())
	golden.Check(t, filepath.Join("testdata", "report.golden.json"), append(asJSON, '\n'))
}

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
