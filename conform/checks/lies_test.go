package checks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func answering(status int, kind, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			w.Header()[name] = append(w.Header()[name], value)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// hijacked writes bytes in place of every answer but health's, which a run needs to start.
func hijacked(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/health" {
			answering(200, contract.TypeJSON, `{"status":"ok"}`)(w, r)
			return
		}
		conn, _, _ := w.(http.Hijacker).Hijack()
		defer conn.Close()
		fmt.Fprint(conn, text)
	}
}

// Each broken service is caught, and the report shows why. Package mutants has the services that break one rule.
func TestLies(t *testing.T) {
	t.Parallel()
	const plain, ok = "text/plain", "200 OK\r\nContent-Length: 40\r\n\r\n{"
	problem := `{"type":"http://evil.example/developers#errors-not_found","title":"t","status":404,"detail":"d",` +
		`"code":"not_found","hint":"h"}`
	for _, tt := range []struct {
		check         string
		handler       http.HandlerFunc
		status        conform.Status
		expected, got string // a part of each
	}{
		{"health-is-ok", answering(200, contract.TypeJSON, `{"status":"ok"}`, "Service-API-Version: 1", "X-Request-Id: x",
			"X-Content-Type-Options: nosniff"), conform.Pass, "", ""},
		{"health-is-ok", answering(500, plain, "oops"), conform.Fail, "status 200", "HTTP/1.1 500 Internal Server Error"},
		{"health-is-ok", answering(200, contract.TypeJSON, `{"status":"fine"}`), conform.Fail, `the member status to be "ok"`,
			`{"status":"fine"}`},
		{"health-is-ok", answering(200, contract.TypeJSON, `{"status"`), conform.Fail, "JSON object", `{"status"`},
		{"not-found-v1", answering(404, contract.TypeProblem, problem), conform.Fail, "the type http://127.0.0.1",
			"evil.example"},
		{"health-is-ok", answering(500, plain, "\x1b[31mred"), conform.Fail, "", `\x1b[31mred`},
		{"catalog-is-json", hijacked(""), conform.Fail, "an answer", "closed without an answer"},
		{"catalog-is-json", hijacked("HTTP/1.1 " + ok), conform.Fail, "an answer", "cut off"},
		{"catalog-is-json", hijacked("220 mail.example ESMTP\r\n\r\n"), conform.Fail, "an answer", "malformed HTTP"},
	} {
		report := run(t, tt.handler, conform.Options{Only: []string{tt.check}})
		got := report.Results[0]
		if got.Status != tt.status || !strings.Contains(got.Expected, tt.expected) || !strings.Contains(got.Got, tt.got) {
			t.Errorf("%+v, want %s, %q, %q", got, tt.status, tt.expected, tt.got)
		}
		if got.Status == conform.Fail && (!strings.Contains(got.Sent, " HTTP/1.1") || got.Section == "" ||
			got.Sentence == "" || report.Failed != 1) {
			t.Errorf("the report does not show it: %+v", got)
		}
	}
}

func run(t *testing.T, handler http.HandlerFunc, options conform.Options) conform.Report {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	options.URL = server.URL
	return expect.Value(conform.Run(t.Context(), Contract(), options))(t)
}

func TestStrangeServices(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"nothing":   answering(200, contract.TypeJSON, ""),
		"null":      answering(200, contract.TypeJSON, "null"),
		"an object": answering(200, contract.TypeJSON, "{}"),
		"lists": answering(200, contract.TypeJSON, `{"result":[],"services":[1],"pricing_bands":[[]],"keys":[null],`+
			`"error":[],"errors":{},"url":"/","linkset":[],"entries":["x"],"skills":[3]}`),
		"markdown":  answering(200, "text/markdown", "# a\n## b\n```json\n{}\n```\n[x](y)"),
		"refusals":  answering(429, contract.TypeProblem, `{"code":"rate_limited"}`),
		"redirects": answering(302, "text/html", "", "Location: /"),
		"a sitemap": answering(200, "application/xml", "<loc>http://evil.example/</loc>"),
	} {
		report := run(t, handler, conform.Options{Send: true})
		if report.Passed*3 > report.Failed || report.Passed+report.Failed+report.Skipped != len(report.Results) {
			t.Errorf("%s: %d passed, %d failed, %d skipped", name, report.Passed, report.Failed, report.Skipped)
		}
	}
}
