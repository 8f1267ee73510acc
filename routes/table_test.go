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
