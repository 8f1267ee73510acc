package conform

import (
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestOnly(t *testing.T) {
	t.Parallel()
	all := []Check{{Section: "8", Name: "a-limit"}, {Section: "8.1", Name: "b-limit"}, {Section: "4.mcp", Name: "mcp-get"}, {Section: "D.mcp", Name: "mcp-post"}}
	for _, tt := range []struct {
		name, patterns, want string
	}{
		{"all", "", "a-limit b-limit mcp-get mcp-post"},
		{"section with its rules", "8", "a-limit b-limit"},
		{"rule", "8.1", "b-limit"},
		{"topic", "D", "mcp-post"},
		{"name", "mcp-get", "mcp-get"},
		{"glob of names", "mcp-*", "mcp-get mcp-post"},
		{"glob of sections", "*.mcp", "mcp-get mcp-post"},
		{"two", "8.1 mcp-get", "b-limit mcp-get"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			chosen := expect.Value(selected(all, strings.Fields(tt.patterns)))(t)
			var names []string
			for _, check := range chosen {
				names = append(names, check.Name)
			}
			expect.Same(t, "--only "+tt.patterns+" chooses", tt.want, strings.Join(names, " "))
		})
	}
	if _, err := selected(all, []string{"8", "nothing"}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("a pattern that names no check: %v, want an error that names it", err)
	}
}

func TestSectionsAreSorted(t *testing.T) {
	t.Parallel()
	want := []string{"1", "2", "4.ask", "4.mcp", "8", "8.1", "8.2", "8.10", "9", "10", "D.mcp", "R.x"}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, compareSections); !slices.Equal(got, want) {
		t.Errorf("sections are sorted as %v", got)
	}
}
