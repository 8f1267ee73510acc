package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/bench/load"
	"frontdesk/bench/report"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	batch := func(cpu, p50 int) *load.Batch {
		return &load.Batch{Requests: 10, Wall: time.Second, CPU: time.Duration(cpu*10) * time.Microsecond, P50: time.Duration(p50) * time.Microsecond, P99: time.Second}
	}
	base := []*load.Batch{batch(10, 100), batch(20, 100), batch(40, 100)}
	own := []*load.Batch{batch(15, 200), batch(30, 300), batch(60, 400)} // a loaded machine doubles both
	got := figures(own, base)
	want := Figures{
		CPU: report.Spread{Median: 1.5, Low: 1.5, High: 1.5}, P50: report.Spread{Median: 3, Low: 2.5, High: 3.5},
		P99: report.Spread{Median: 1, Low: 1, High: 1}, Throughput: report.Spread{Median: 1, Low: 1, High: 1},
		MicrosCPU: 30, MicrosP50: 300,
	}
	if got != want {
		t.Errorf("figures = %+v, want %+v", got, want)
	}
}

func made() *Results {
	server := func(ratio float64) Figures {
		return Figures{CPU: report.Spread{Median: ratio, Low: ratio, High: ratio}, MicrosCPU: 20 * ratio}
	}
	return &Results{
		Rows: []Row{
			{"health", 1.25, map[string]Figures{frontdesk: server(1.2), limit: server(1), noise: server(0.96)}},
			{"MCP ask_faq", 2.4, map[string]Figures{frontdesk: server(2.5), limit: server(1), noise: server(1.02), mcpGo: server(3), goSDK: server(9)}},
		},
		Processes: []Process{{Server: frontdesk, IdleMiB: 30, SizeM: 86}, {Server: limit, IdleMiB: 33}},
		Growth:    []Growth{{"clients", []string{"CPU (µs)"}, []Point{{1, []float64{30}}, {1000, []float64{45}}}}},
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	text := made().text()
	for _, want := range []string{
		"| health | ≤ 1.25 | 1.20 [1.20-1.20] |",
		"| MCP ask_faq | ≤ 2.40 | 2.50 [2.50-2.50] above |",
		"Two equal servers differ by up to 4%.",
		"| frontdesk | 0.0 [0.0-0.0] | 30.0 | 0.0 | 86.0 above |",
		"| limit | 0.0 [0.0-0.0] | 33.0 | 0.0 | 0.0 |",
		"| health | 24.0 | 24 | 3 |",
		"| 1000 | 45.0 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Every section of the project's documents exists, and a second run changes nothing.
func TestDocument(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"performance.md", "scale.md"} {
		text, err := os.ReadFile(filepath.Join("..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var first string
	for range 2 {
		if err := made().rewrite(filepath.Join(folder, "performance.md"), filepath.Join(folder, "scale.md")); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, "performance.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "2.50 [2.50-2.50] above") || (first != "" && first != string(text)) {
			t.Errorf("the document is\n%s", text)
		}
		first = string(text)
	}
}

func TestSameMCPGo(t *testing.T) {
	t.Parallel()
	version := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`github\.com/mark3labs/mcp-go v\S+`).FindString(string(text))
	}
	if own, theirs := version("go.mod"), version("../go.mod"); own == "" || own != theirs {
		t.Errorf("the peer has %q, the service %q", own, theirs)
	}
}
