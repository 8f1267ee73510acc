package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSpreadOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		figures []float64
		want    Spread
		text    string
	}{
		{"one", []float64{2}, Spread{2, 2, 2}, "2.00 [2.00-2.00]"},
		{"odd, unsorted", []float64{5, 1, 3, 2, 4}, Spread{3, 2, 4}, "3.00 [2.00-4.00]"},
		{"even", []float64{4, 1, 2, 3}, Spread{2.5, 1.75, 3.25}, "2.50 [1.75-3.25]"},
	}
	for _, tt := range tests {
		first := tt.figures[0]
		if got := SpreadOf(tt.figures); got != tt.want || got.String() != tt.text {
			t.Errorf("%s: SpreadOf = %v (%+v), want %s (%+v)", tt.name, got, got, tt.text, tt.want)
		}
		if tt.figures[0] != first {
			t.Errorf("%s: the figures were sorted in place", tt.name)
		}
	}
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	const before = "# Title\n\n<!-- growth: written by make figures -->\nold\n<!-- end of growth -->\n\nText.\n"
	tests := []struct{ name, document, section, want string }{
		{"replaced", before, "growth", strings.Replace(before, "old\n", "| new |\n", 1)},
		{"empty until now", strings.Replace(before, "old\n", "", 1), "growth", strings.Replace(before, "old\n", "| new |\n", 1)},
		{"no such section", before, "ratios", ""},
		{"without an end", strings.Replace(before, "end of", "end", 1), "growth", ""},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "doc.md")
		if err := os.WriteFile(path, []byte(tt.document), 0o600); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		err := Rewrite(path, tt.section, "| new |\n\n")
		got, readErr := os.ReadFile(path)
		if readErr != nil {
			t.Fatalf("%s: %v", tt.name, readErr)
		}
		if tt.want == "" {
			if err == nil || string(got) != tt.document {
				t.Errorf("%s: Rewrite = %v, document %q", tt.name, err, got)
			}
			continue
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: Rewrite = %v, document\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
	}
}
