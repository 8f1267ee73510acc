package routes_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"frontdesk/contract"
	"frontdesk/internal/golden"
	"frontdesk/routes"
)

// TestTableGolden compares the route table with testdata/routes.golden, which has the columns of section 4 of the
// contract, and which answers are signed.
func TestTableGolden(t *testing.T) {
	t.Parallel()
	got := describe(routes.All())
	golden.Check(t, filepath.Join("testdata", "routes.golden"), []byte(got))
}

func describe(table []routes.Route) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tPATH\tALIASES\tBODY CAP\tLIMIT\tSIGNED\tPURPOSE")
	for _, route := range table {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", route.Method, route.Path, orNone(strings.Join(route.Aliases, ", ")),
			describeCap(route.BodyCap), describeLimit(route), describeSigned(route), route.Purpose)
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

func describeSigned(route routes.Route) string {
	if route.Signed {
		return "on request"
	}
	return "-"
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
