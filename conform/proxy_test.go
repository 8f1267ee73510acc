package conform

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// A refusal counts as the proxy's only if a proxy may refuse so, and it looks like another server's without our id.
func TestFromProxy(t *testing.T) {
	t.Parallel()
	const withoutIDs, nginx, html = "a service whose answers have no ids", "Server: nginx", "Content-Type: text/html"
	trace := Request{Method: http.MethodTrace, Path: "/v1/health"}
	for _, tt := range []struct {
		name    string
		request Request
		status  int
		header  []string
		want    Status
	}{
		{"TRACE refused by nginx", trace, 405, []string{nginx, html}, Skip},
		{"TRACE refused by HAProxy", trace, 405, []string{html}, Skip},
		{"TRACE refused with a Via", trace, 501, []string{"Via: 1.1 edge"}, Skip},
		{"encoded dots", get("/v1/%2e%2e/x"), 400, []string{nginx}, Skip},
		{"long headers", get("/v1/health", "X-A: "+strings.Repeat("a", 34<<10)), 400, []string{nginx}, Skip},
		{"a foreign host", get("/v1/health", "Host: evil.example"), 200, []string{"Server: Caddy"}, Skip},
		{"answered by the service", trace, 405, []string{nginx, "X-Request-Id: a"}, Fail},
		{"no sign of another server", trace, 405, []string{"Content-Type: application/problem+json"}, Fail},
		{"served instead of refused", trace, 200, []string{nginx}, Fail},
		{"a body within the caps", post("/v1/contact", strings.Repeat("x", 9000)), 413, []string{nginx}, Fail},
		{"an ordinary request", get("/v1/catalog"), 404, []string{nginx}, Fail},
		{"a bad gateway", trace, 502, []string{nginx}, Fail},
		{withoutIDs, trace, 405, []string{nginx}, Fail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Played") == "" {
					if tt.name != withoutIDs {
						w.Header().Set("X-Request-Id", "the service")
					}
					return
				}
				for _, line := range tt.header {
					name, value, _ := strings.Cut(line, ": ")
					w.Header().Set(name, value)
				}
				w.WriteHeader(tt.status)
			})
			request := tt.request
			request.Header = append([]string{"Played: yes"}, request.Header...)
			check := Check{Section: "7", Name: "refused", Run: func(p *Probe) { p.Send(request, wants(418)) }}
			report := expect.Value(Run(t.Context(), []Check{check}, Options{URL: server.URL}))(t)
			got := report.Results[0]
			if got.Status != tt.want || got.Status == Skip && !strings.Contains(got.Reason, "proxy") {
				t.Errorf("%s (%s%s), want %s", got.Status, got.Reason, got.Expected, tt.want)
			}
		})
	}
}
