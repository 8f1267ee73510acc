package routes_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/routes"
)

// The columns are those of section 4 of the contract, and one more: which answers are signed.
func TestTableGolden(t *testing.T) {
	t.Parallel()
	golden.Check(t, filepath.Join("testdata", "routes.golden"), []byte(describe(routes.All())))
}

func describe(table []routes.Route) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tPATH\tALIASES\tBODY CAP\tLIMIT\tSIGNED\tPURPOSE")
	for _, route := range table {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", route.Method, route.Path, orNone(strings.Join(route.Aliases, ", ")),
			describeCap(route.BodyCap), describeLimit(route), map[bool]string{true: "on request", false: "-"}[route.Signed], route.Purpose)
	}
	_ = w.Flush()
	return b.String()
}

func describeCap(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%d bytes", bytes)
}

func describeLimit(route routes.Route) string {
	if route.Limit != nil {
		return route.Limit.Policy().Header()
	}
	var policies []string
	for _, policy := range route.TakesSlots {
		policies = append(policies, policy.Header())
	}
	list := strings.Join(policies, ", ")
	switch {
	case strings.HasSuffix(route.Path, "/mcp"):
		return list + " by tool"
	case slices.Contains(route.TakesSlots, contract.ContactPolicy):
		return list + " real sends"
	}
	return orNone(list)
}

func orNone(s string) string { return cmp.Or(s, "-") }

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
		{"/api/v1/faq", "GET /faq"},
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
