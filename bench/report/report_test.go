package report

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
				t.Errorf("%s: Rewrite = %v, document %q: want an error and no change", tt.name, err, got)
			}
			continue
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: Rewrite = %v, document\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := NewTable("a", "b")
	table.Add("1", "2")
	if got, want := table.String(), "| a | b |\n| --- | --- |\n| 1 | 2 |\n"; got != want {
		t.Errorf("table\n%s\nwant\n%s", got, want)
	}
}

// TestCharts checks that both charts are XML with everything in them, also with names
// that need escaping.
func TestCharts(t *testing.T) {
	t.Parallel()
	chart := &Chart{Title: "Growth", Across: "how many", Upwards: "a & b", Lines: []Line{
		{"<one>", []float64{1, 10, 1_000_000}, []float64{1, 1, 12}}, {"flat", []float64{1, 100}, []float64{1, 1}}}}
	dots := &Dots{Title: "Ratios", Across: "a & b", Own: "flat", Others: []string{"peer"}, Rows: []Dot{
		{"<one>", Spread{1.2, 1.1, 1.3}, 1.25, nil}, {"two", Spread{2, 1, 9}, 2, map[string]float64{"peer": 17}}}}
	for name, write := range map[string]func(string) error{"chart": chart.Write, "dots": dots.Write} {
		path := filepath.Join(t.TempDir(), "plot.svg")
		if err := write(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		words := textOf(t, path)
		for _, x := range circles(t, path) {
			if x < 0 || x > left+width+right {
				t.Errorf("%s: a mark at %v is beyond the edge", name, x)
			}
		}
		for _, want := range []string{"<one>", "flat", "a & b"} {
			if !strings.Contains(words, want) {
				t.Errorf("%s: no %q in the plot: %s", name, want, words)
			}
		}
		if name == "dots" && (!strings.Contains(words, "peer\n") || !strings.Contains(words, "\n10\n") || strings.Contains(words, "\n20\n")) {
			t.Errorf("%s: no legend, or not the marks up to 17: %s", name, words)
		}
		if name == "chart" && !strings.Contains(words, "1,000,000") {
			t.Errorf("%s: no mark at a million: %s", name, words)
		}
	}
}

// circles returns the positions of the marks of an SVG file.
func circles(t *testing.T, path string) (all []float64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`cx="([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		x, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	if len(all) < 4 {
		t.Errorf("%d marks", len(all))
	}
	return all
}

// textOf returns the text of a well-formed SVG file.
func textOf(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var words strings.Builder
	for decoder := xml.NewDecoder(file); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return words.String()
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v", path, err)
		}
		if text, ok := token.(xml.CharData); ok {
			words.Write(text)
			words.WriteByte('\n')
		}
	}
}

func TestAxis(t *testing.T) {
	t.Parallel()
	a := newAxis([]Line{{X: []float64{3, 900}}}, func(l Line) []float64 { return l.X })
	if a != (axis{0, 3}) || a.place(1) != 0 || a.place(1000) != 1 || a.place(10) >= a.place(11) {
		t.Errorf("axis %+v: 1 at %v, 1000 at %v", a, a.place(1), a.place(1000))
	}
	for decade, want := range map[int]string{-2: "0.01", 0: "1", 3: "1,000", 4: "10,000", 6: "1,000,000"} {
		if got := number(decade); got != want {
			t.Errorf("number(%d) = %q, want %q", decade, got, want)
		}
	}
}
