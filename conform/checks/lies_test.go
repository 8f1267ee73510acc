package checks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/conform"
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

// hijacked writes bytes in place of every answer except health's, which a run needs to
// start.
func hijacked(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/health" {
			answering(200, "application/json", `{"status":"ok"}`)(w, r)
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, text)
	}
}

// TestLies runs checks against broken services: each must be caught, and the report must
// show why. Package mutants has the services that break one rule.
func TestLies(t *testing.T) {
	t.Parallel()
	health := answering(200, "application/json", `{"status":"ok"}`, "Service-API-Version: 1", "X-Request-Id: x", "X-Content-Type-Options: nosniff")
	problem := `{"type":"%s/developers#errors-not_found","title":"t","status":404,"detail":"d","code":"not_found","hint":"h"}`
	for _, tt := range []struct {
		name, check   string
		handler       http.HandlerFunc
		status        conform.Status
		expected, got string // a part of each
	}{
		{"an honest one", "health-is-ok", health, conform.Pass, "", ""},
		{"a fault", "health-is-ok", answering(500, "text/plain", "oops"), conform.Fail, "status 200", "HTTP/1.1 500 Internal Server Error"},
		{"another status", "health-is-ok", answering(200, "application/json", `{"status":"fine"}`), conform.Fail, `the member status to be "ok"`, `{"status":"fine"}`},
		{"no JSON", "health-is-ok", answering(200, "application/json", `{"status"`), conform.Fail, "JSON object", `{"status"`},
		{"an error of another base", "not-found-v1", answering(404, "application/problem+json", fmt.Sprintf(problem, "http://evil.example")), conform.Fail, "the type http://127.0.0.1", "evil.example"},
		{"escape sequences", "health-is-ok", answering(500, "text/plain", "\x1b[31mred"), conform.Fail, "", `\x1b[31mred`},
		{"no answer", "catalog-is-json", hijacked(""), conform.Fail, "an answer", "closed without an answer"},
		{"half an answer", "catalog-is-json", hijacked("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{"), conform.Fail, "an answer", "cut off"},
		{"no HTTP", "catalog-is-json", hijacked("220 mail.example ESMTP\r\n\r\n"), conform.Fail, "an answer", "malformed HTTP"},
	} {
		server := httptest.NewServer(tt.handler)
		t.Cleanup(server.Close)
		report, err := conform.Run(t.Context(), Contract(), conform.Options{URL: server.URL, Only: []string{tt.check}})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got := report.Results[0]
		if got.Status != tt.status || !strings.Contains(got.Expected, tt.expected) || !strings.Contains(got.Got, tt.got) {
			t.Errorf("%s: %s, expected %q, got %q; want %s, %q, %q", tt.name, got.Status, got.Expected, got.Got, tt.status, tt.expected, tt.got)
		}
		if got.Status == conform.Fail && (!strings.Contains(got.Sent, " HTTP/1.1") || got.Section == "" || got.Sentence == "" || report.Failed != 1) {
			t.Errorf("%s: the report does not show it: %+v", tt.name, got)
		}
	}
}

// TestStrangeServices runs every check against services that give one senseless answer:
// each run must end with a report and failures.
func TestStrangeServices(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"nothing":   answering(200, "application/json", ""),
		"null":      answering(200, "application/json", "null"),
		"an object": answering(200, "application/json", "{}"),
		"lists":     answering(200, "application/json", `{"result":[],"services":[1],"pricing_bands":[[]],"keys":[null],"error":[],"errors":{},"url":"/","linkset":[],"entries":["x"],"skills":[3]}`),
		"markdown":  answering(200, "text/markdown", "# a\n## b\n```json\n{}\n```\n[x](y)"),
		"refusals":  answering(429, "application/problem+json", `{"code":"rate_limited"}`),
		"redirects": answering(302, "text/html", "", "Location: /"),
		"a sitemap": answering(200, "application/xml", "<loc>http://evil.example/</loc>"),
	} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		report, err := conform.Run(t.Context(), Contract(), conform.Options{URL: server.URL, Send: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if report.Passed*3 > report.Failed || report.Passed+report.Failed+report.Skipped != len(report.Results) {
			t.Errorf("%s: %d passed, %d failed, %d skipped", name, report.Passed, report.Failed, report.Skipped)
		}
	}
}
