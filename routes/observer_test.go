package routes_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/callers"
	"frontdesk/internal/expect"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// observer records the requests that are reported to it.
type observer struct{ seen []middleware.Finished }

func (o *observer) Request(done middleware.Finished) { o.seen = append(o.seen, done) }

// TestObserver checks that every request is reported with its route: routes of the
// router, paths that the content names, and unknown paths.
func TestObserver(t *testing.T) {
	t.Parallel()
	var got observer
	f := newFrontWith(t, io.Discard, func(c *routes.Config) { c.Observer = &got })
	f.send(t, alice, http.MethodGet, contract.PathCatalogAlias, "")
	f.send(t, alice, http.MethodGet, "/privacy", "")
	f.send(t, alice, http.MethodGet, "/privacy.md", "")
	f.send(t, alice, http.MethodGet, "/nothing", "")
	f.send(t, alice, http.MethodPost, contract.PathCatalog, "")
	f.post(t, alice, contract.PathAsk, `{"q":"panic"}`)
	f.post(t, alice, contract.PathMCP, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	want := []middleware.Finished{
		{Method: "GET", Route: "/agents.json", Status: 200, Caller: callers.Programs},
		{Method: "GET", Route: "/{page}", Status: 200, Caller: callers.Programs},
		{Method: "GET", Route: "/{page}.md", Status: 200, Caller: callers.Programs},
		{Method: "GET", Status: 404},
		{Method: "POST", Status: 405},
		{Method: "POST", Route: "/v1/ask", Status: 500},
		{Method: "POST", Route: "/mcp", Status: 202, Caller: callers.Programs},
	}
	expect.Same(t, "reported", want, got.seen, cmpopts.IgnoreFields(middleware.Finished{}, "Took"))
	for _, done := range got.seen {
		if done.Took <= 0 {
			t.Errorf("%s took %v", done.Route, done.Took)
		}
	}
}
