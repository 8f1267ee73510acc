package conform

import (
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
		names := ""
		for _, check := range expect.Value(selected(all, strings.Fields(tt.patterns)))(t) {
			names += check.Name + " "
		}
		expect.Same(t, tt.name+": --only "+tt.patterns, tt.want+" ", names)
	}
	if _, err := selected(all, []string{"8", "nothing"}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("a pattern that names no check: %v, want an error that names it", err)
	}
}
