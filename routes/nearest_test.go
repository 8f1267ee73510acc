package routes_test

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestHintOfA404(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	const list = "The endpoints are GET /v1/health, GET /v1/catalog, POST /v1/ask, POST /api/ask, POST /api/ask/feedback, " +
		"POST /v1/contact, POST /api/contact, POST /mcp, POST /api/public/mcp, GET /api/public/mcp/server-card."
	usual := contract.NotFound.Info().Hint
	for path, want := range map[string]string{
		"/v1/catalog/":                          "GET /v1/catalog",
		"/V1/catalog":                           "GET /v1/catalog",
		"/catalog":                              "GET /v1/catalog",
		"/v1/services":                          "GET /v1/catalog",
		"/v1/catalog/ID":                        "GET /v1/catalog",
		"/v2/ask":                               "POST /v1/ask",
		"/v1/ask/feedback":                      "POST /api/ask/feedback",
		"/v1/feedback":                          "POST /api/ask/feedback",
		"/v1/inquiry":                           "POST /v1/contact",
		"/mcp/":                                 "POST /mcp",
		"/api/faq":                              "GET /faq",
		"/health":                               "GET /v1/health",
		"/v1":                                   list,
		"/api/":                                 list,
		"/v1/" + strings.Repeat("catalog/", 20): list,
		"/nope":                                 usual,
	} {
		if !strings.HasPrefix(want, "The") && want != usual {
			want = "The nearest endpoint is " + want + "."
		}
		w := f.send(t, alice, "PUT", path, "")
		problem := expect.JSON[contract.Problem](t, w.Body.Bytes())
		if problem.Code != contract.NotFound || problem.Hint != want {
			t.Errorf("%s: %s %q, want %q", path, problem.Code, problem.Hint, want)
		}
	}
}

func TestWhatARefusalNames(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for _, tt := range []struct {
		name, path, body string
		header           []string
		detail           string
	}{
		{"form to ask", "/v1/ask", "q=What+does+it+cost", []string{"Content-Type: application/x-www-form-urlencoded"}, "The body is a form, and this endpoint reads JSON only."},
		{"files to ask", "/api/ask", "--x\r\n", []string{"Content-Type: multipart/form-data; boundary=x"}, "The body is a form, and this endpoint reads JSON only."},
		{"text to ask", "/v1/ask", "What does it cost?", []string{"Content-Type: text/plain"}, "The body must be a JSON object."},
		{"entry", "/api/ask/feedback", `{"helpful":true,"entry_id":"no-such<b>"}`, nil, `entry_id "no-such<b>" is not the id of an entry.`},
		{"long entry", "/api/ask/feedback", `{"helpful":true,"entry_id":"` + strings.Repeat("x", 900) + `"}`, nil, `entry_id "` + strings.Repeat("x", 64) + `…" is not the id of an entry.`},
		{"origin", "/v1/contact", dry, []string{"Origin: https://evil.example"}, `This service does not serve the browser origin "https://evil.example".`},
		{"long origin", "/v1/contact", dry, []string{"Origin: https://" + strings.Repeat("x", 900)}, `This service does not serve the browser origin "https://` + strings.Repeat("x", 56) + `…".`},
	} {
		w := f.post(t, bob, tt.path, tt.body, append(tt.header, "X-Request-Id: r-1")...)
		problem := expect.JSON[contract.Problem](t, w.Body.Bytes())
		expect.Same(t, tt.name, tt.detail, problem.Detail)
		expect.Same(t, tt.name+": request_id", "r-1", problem.RequestID)
	}
}
