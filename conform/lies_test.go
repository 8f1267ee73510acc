package conform

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
)

// answering is a service of one answer, as a handler.
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

// hijacked writes bytes in place of every answer but that of health, by which a
// run sees that somebody is there.
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

// sixth accepts one question too many.
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

// TestLies runs checks against services that lie, and shows that each is caught
// and that the report says enough to see why.
func TestLies(t *testing.T) {
	t.Parallel()
	health := answering(200, "application/json", `{"status":"ok"}`, "Service-API-Version: 1", "X-Request-Id: x", "X-Content-Type-Options: nosniff")
	problem := `{"type":"%s/developers#errors-not_found","title":"t","status":404,"detail":"d","code":"not_found","hint":"h"}`
	for _, tt := range []struct {
		name, check   string
		handler       http.HandlerFunc
		status        Status
		expected, got string // a part of each
	}{
		{"an honest one", "health-is-ok", health, Pass, "", ""},
		{"a fault", "health-is-ok", answering(500, "text/plain", "oops"), Fail, "status 200 OK", "HTTP/1.1 500 Internal Server Error"},
		{"another status", "health-is-ok", answering(200, "application/json", `{"status":"fine"}`), Fail, `the member status to be "ok"`, `{"status":"fine"}`},
		{"another type", "health-is-ok", answering(200, "text/plain", `{"status":"ok"}`), Fail, "Content-Type application/json", "text/plain"},
		{"no JSON", "health-is-ok", answering(200, "application/json", `{"status"`), Fail, "JSON object", `{"status"`},
		{"limit headers", "health-has-no-ratelimit", answering(200, "application/json", `{}`, `RateLimit: "ask";r=1`), Fail, "no header RateLimit", `"ask";r=1`},
		{"no version header", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`), Fail, "Service-API-Version: 1", "HTTP/1.1 200"},
		{"another spelling", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`, "Service-Api-Version: 1"), Fail, "Service-API-Version: 1", "Service-Api-Version: 1"},
		{"another version", "every-v1-answer-has-the-version-header", answering(200, "application/json", `{}`, "Service-API-Version: 2"), Fail, "Service-API-Version: 1", "Service-API-Version: 2"},
		{"deprecated", "nothing-is-deprecated", answering(200, "application/json", `{}`, "Sunset: x"), Fail, "neither Deprecation nor Sunset", "Sunset"},
		{"a cookie", "no-cookie-is-ever-set", answering(200, "application/json", `{}`, "Set-Cookie: a=b"), Fail, "no Set-Cookie", "a=b"},
		{"a teapot", "every-status-is-of-the-contract", answering(418, "text/plain", ""), Fail, "one of the statuses", "418"},
		{"a parameter t", "ratelimit-has-no-t", answering(200, "application/json", `{}`, `RateLimit: "ask";r=1;t=5`), Fail, "r alone", "t=5"},
		{"an error in HTML", "every-error-is-a-problem-record", answering(404, "text/html", "<h1>no</h1>"), Fail, "application/problem+json", "<h1>no"},
		{"an error of another code", "not-found-v1", answering(404, "application/problem+json", `{"code":"gone"}`), Fail, "the code not_found", "gone"},
		{"an error of another base", "not-found-v1", answering(404, "application/problem+json", fmt.Sprintf(problem, "http://evil.example")), Fail, "the type http://127.0.0.1", "evil.example"},
		{"a soft 404", "not-found-v1", answering(200, "text/plain", "not found"), Fail, "status 404", "200 OK"},
		{"405 without Allow", "put-at-v1-contact", answering(405, "application/problem+json", `{}`), Fail, "the code method_not_allowed", ""},
		{"one question too many", "the-sixth-question-is-refused", sixth(), Fail, "status 429", "200 OK"},
		{"a page that loses Markdown", "page-as-markdown-pricing", answering(200, "text/html", "<h1>"), Fail, "text/markdown", "<h1>"},
		{"escape sequences", "health-is-ok", answering(500, "text/plain", "\x1b[31mred"), Fail, "", `\x1b[31mred`},
		{"no answer", "catalog-is-json", hijacked(""), Fail, "an answer", "closed without an answer"},
		{"half an answer", "catalog-is-json", hijacked("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{"), Fail, "an answer", "cut off"},
		{"no HTTP", "catalog-is-json", hijacked("220 mail.example ESMTP\r\n\r\n"), Fail, "an answer", "220 mail.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tt.handler)
			t.Cleanup(server.Close)
			report, err := Run(t.Context(), Options{URL: server.URL, Only: []string{tt.check}})
			if err != nil {
				t.Fatal(err)
			}
			got := report.Results[0]
			if got.Status != tt.status || !strings.Contains(got.Expected, tt.expected) || !strings.Contains(got.Got, tt.got) {
				t.Errorf("%s, expected %q, got %q; want %s, %q, %q", got.Status, got.Expected, got.Got, tt.status, tt.expected, tt.got)
			}
			if got.Status == Fail && (!strings.Contains(got.Curl, "curl -si") || got.Section == "" || got.Says == "" || report.Failed != 1) {
				t.Errorf("the report does not show it: %+v", got)
			}
		})
	}
}

// TestNobodyThere tells a service that cannot be reached from one that fails.
func TestNobodyThere(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String()
	listener.Close()
	if _, err := Run(t.Context(), Options{URL: nobody}); err == nil || !strings.Contains(err.Error(), nobody) {
		t.Errorf("error %v, want one that names the address", err)
	} else if _, ok := errors.AsType[*UnreachableError](err); !ok {
		t.Errorf("error %T, want *UnreachableError", err)
	}
	for _, options := range []Options{{URL: "desk"}, {URL: nobody, Only: []string{"nothing"}}} {
		if _, err := Run(t.Context(), options); err == nil {
			t.Errorf("%+v is taken", options)
		} else if _, ok := errors.AsType[*UsageError](err); !ok {
			t.Errorf("error %v, want *UsageError", err)
		}
	}
}

// TestWhateverIsAnswered plays every check against services that answer anything
// at all: each run ends with a report, and in failures.
func TestWhateverIsAnswered(t *testing.T) {
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
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			for _, readiness := range []bool{false, true} {
				report, err := Run(t.Context(), Options{URL: server.URL, Readiness: readiness, Send: true})
				if err != nil {
					t.Fatal(err)
				}
				if report.Passed*3 > report.Failed || report.Passed+report.Failed+report.Skipped != len(report.Results) {
					t.Errorf("%d passed, %d failed, %d skipped", report.Passed, report.Failed, report.Skipped)
				}
			}
		})
	}
}

// TestServiceThatGoes: when nobody answers any more the rest is skipped.
func TestServiceThatGoes(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(answering(200, "application/json", "{}"))
	r, err := begin(t.Context(), Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	failed, skipped := 0, 0
	for _, result := range r.playAll() {
		if result.Status == Fail {
			failed++
		}
		if result.Reason == gone {
			skipped++
		}
	}
	if failed == 0 || failed > givenUp+atOnce || skipped == 0 {
		t.Errorf("%d checks failed and %d were skipped, want that it is given up after %d requests", failed, skipped, givenUp)
	}
}

// TestPoliteByWish keeps a run on loopback within the limits.
func TestPoliteByWish(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/ask" {
			asked.Add(1)
		}
		answering(200, "application/json", "{}")(w, r)
	}))
	t.Cleanup(server.Close)
	report, err := Run(t.Context(), Options{URL: server.URL, Only: []string{"2", "8"}, Polite: true})
	if err != nil {
		t.Fatal(err)
	}
	skipped := 0
	for _, result := range report.Results {
		if result.Reason == spent(contract.AskPolicy) && result.Slots > 0 {
			skipped++
		}
	}
	if report.Mode != modeAsked || asked.Load() > 5 || skipped == 0 {
		t.Errorf("%s: %d questions, %d checks wait for their turn", report.Mode, asked.Load(), skipped)
	}
}

// TestMistakenCheck: a check that takes more of a limit than it says is found by
// every run.
func TestMistakenCheck(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(answering(200, "application/json", `{}`))
	t.Cleanup(server.Close)
	r, err := begin(t.Context(), Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("it is not found")
		}
	}()
	r.play(&Check{Name: "greedy", Asks: 1, Run: func(p *probe) {
		p.send(ask("x"))
		p.send(ask("x"))
	}})
}
