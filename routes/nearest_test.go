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
	for _, tt := range []struct{ path, want string }{
		{"/v1/catalog/", "GET /v1/catalog"},
		{"/V1/catalog", "GET /v1/catalog"},
		{"/catalog", "GET /v1/catalog"},
		{"/v1/services", "GET /v1/catalog"},
		{"/v1/catalog/ID", "GET /v1/catalog"},
		{"/v2/ask", "POST /v1/ask"},
		{"/v1/ask/feedback", "POST /api/ask/feedback"},
		{"/v1/feedback", "POST /api/ask/feedback"},
		{"/v1/inquiry", "POST /v1/contact"},
		{"/mcp/", "POST /mcp"},
		{"/api/faq", "GET /faq"},
		{"/health", "GET /v1/health"},
		{"/v1", list},
		{"/api/", list},
		{"/v1/" + strings.Repeat("catalog/", 20), list},
		{"/nope", usual},
	} {
		if !strings.HasPrefix(tt.want, "The") && tt.want != usual {
			tt.want = "The nearest endpoint is " + tt.want + "."
		}
		w := f.send(t, alice, "PUT", tt.path, "")
		problem := expect.JSON[contract.Problem](t, w.Body.Bytes())
		expect.Same(t, tt.path, []any{contract.NotFound, tt.want}, []any{problem.Code, problem.Hint})
	}
}
