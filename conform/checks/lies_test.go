package checks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk/conform"
)

// answering is a handler that always gives one answer.
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

// sixth is a service that accepts one question too many.
func sixth() http.HandlerFunc {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/faq.md" {
			answering(200, "text/markdown", "## What?\n")(w, r)
			return
		}
		if r.Method == http.MethodPost && n.Add(1) > 6 {
			answering(429, "application/problem+json", `{}`)(w, r)
			return
		}
		answering(200, "application/json", `{}`)(w, r)
	}
}

// TestLies runs checks against broken services: each must be caught, and the report must
// show why.
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
		{"a fault", "health-is-ok", answering(500, "text/plain", "oops"), conform.Fail, "status 200 OK", "HTTP/1.1 500 Internal Server Error"},
		{"another status", "health-is-ok", answering(200, "application/json", `{"status":"fine"}`), conform.Fail, `the member status to be "ok"`, `{"status":"fine"}`},
		{"another type", "health-is-ok", answering(200, "text/plain", `{"status":"ok"}`), conform.Fail, "Content-Type application/json", "text/plain"},
		{"no JSON", "health-is-ok", answering(200, "application/json", `{"status"`), conform.Fail, "JSON object", `{"status"`},
		{"limit headers", "health-has-no-ratelimit", answering(200, "application/json", `{}`, `RateLimit: "ask";r=1`), conform.Fail, "no header RateLimit", `"ask";r=1`},
		{"no version header", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`), conform.Fail, "Service-API-Version: 1", "HTTP/1.1 200"},
		{"another case", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`, "service-api-version: 1"), conform.Pass, "", ""},
		{"another version", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`, "Service-API-Version: 2"), conform.Fail, "Service-API-Version: 1", "Service-API-Version: 2"},
		{"deprecated", "nothing-is-deprecated", answering(200, "application/json", `{}`, "Sunset: x"), conform.Fail, "neither Deprecation nor Sunset", "Sunset"},
		{"a cookie", "no-cookie-is-ever-set", answering(200, "application/json", `{}`, "Set-Cookie: a=b"), conform.Fail, "no Set-Cookie", "a=b"},
		{"a teapot", "every-status-is-of-the-contract", answering(418, "text/plain", ""), conform.Fail, "one of the statuses", "418"},
		{"a parameter t", "ratelimit-has-no-t", answering(200, "application/json", `{}`, `RateLimit: "ask";r=1;t=5`), conform.Fail, "only the policy", "t=5"},
		{"an error in HTML", "every-error-is-a-problem-record", answering(404, "text/html", "<h1>no</h1>"), conform.Fail, "application/problem+json", "<h1>no"},
		{"an error of another code", "not-found-v1", answering(404, "application/problem+json", `{"code":"gone"}`), conform.Fail, "the code not_found", "gone"},
		{"an error of another base", "not-found-v1", answering(404, "application/problem+json", fmt.Sprintf(problem, "http://evil.example")), conform.Fail, "the type http://127.0.0.1", "evil.example"},
		{"a soft 404", "not-found-v1", answering(200, "text/plain", "not found"), conform.Fail, "status 404", "200 OK"},
		{"405 without Allow", "put-at-v1-contact", answering(405, "application/problem+json", `{}`), conform.Fail, "the code method_not_allowed", ""},
		{"one question too many", "the-sixth-question-is-refused", sixth(), conform.Fail, "status 429", "200 OK"},
		{"a page that loses Markdown", "page-as-markdown-pricing", answering(200, "text/html", "<h1>"), conform.Fail, "text/markdown", "<h1>"},
		{"escape sequences", "health-is-ok", answering(500, "text/plain", "\x1b[31mred"), conform.Fail, "", `\x1b[31mred`},
		{"no answer", "catalog-is-json", hijacked(""), conform.Fail, "an answer", "closed without an answer"},
		{"half an answer", "catalog-is-json", hijacked("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{"), conform.Fail, "an answer", "cut off"},
		{"no HTTP", "catalog-is-json", hijacked("220 mail.example ESMTP\r\n\r\n"), conform.Fail, "an answer", "220 mail.example"},
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
		if got.Status == conform.Fail && (!strings.Contains(got.Curl, "curl -si") || got.Section == "" || got.Sentence == "" || report.Failed != 1) {
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
		"lists":     answering(200, "application/json", `{"result":[],"services":[1],"pricing_bands":[[]],"keys":[null],"error":[],"errors":{},"url":7,"linkset":[],"entries":["x"],"skills":[3]}`),
		"markdown":  answering(200, "text/markdown", "# a\n## b\n```json\n{}\n```\n[x](y)"),
		"refusals":  answering(429, "application/problem+json", `{"code":"rate_limited"}`),
		"redirects": answering(302, "text/html", "", "Location: /"),
		"a sitemap": answering(200, "application/xml", "<loc>http://evil.example/</loc>"),
	} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		for _, checks := range [][]conform.Check{Contract(), Readiness()} {
			report, err := conform.Run(t.Context(), checks, conform.Options{URL: server.URL, Send: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if report.Passed*3 > report.Failed || report.Passed+report.Failed+report.Skipped != len(report.Results) {
				t.Errorf("%s: %d passed, %d failed, %d skipped", name, report.Passed, report.Failed, report.Skipped)
			}
		}
	}
}
