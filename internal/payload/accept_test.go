package payload

import (
	"fmt"
	"math"
	"testing"

	"frontdesk/internal/expect"
)

func TestBest(t *testing.T) {
	t.Parallel()
	offers := []string{"application/problem+json", "text/html", "text/markdown"}
	tests := []struct {
		name   string
		accept []string
		want   string
	}{
		{"absent", nil, "application/problem+json"},
		{"empty", []string{""}, "application/problem+json"},
		{"anything", []string{"*/*"}, "application/problem+json"},
		{"html", []string{"text/html"}, "text/html"},
		{"markdown", []string{"text/markdown"}, "text/markdown"},
		{"parameter", []string{"text/markdown; charset=utf-8"}, "text/markdown"},
		{"browser", []string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, "text/html"},
		{"agent", []string{"text/markdown, text/html;q=0.8, */*;q=0.1"}, "text/markdown"},
		{"weights", []string{"text/html;q=0.5, text/markdown;q=0.6"}, "text/markdown"},
		{"weight with spaces", []string{"text/html ; q=0.5 , text/markdown ; q = 0.6"}, "text/markdown"},
		{"explicit beats wildcard", []string{"text/markdown, */*"}, "text/markdown"},
		{"explicit beats wildcard before it", []string{"*/*, text/markdown"}, "text/markdown"},
		{"explicit beats main type", []string{"text/*, text/markdown"}, "text/markdown"},
		{"first listed", []string{"text/markdown, text/html"}, "text/markdown"},
		{"first listed, other order", []string{"text/html, text/markdown"}, "text/html"},
		{"quality before place", []string{"text/markdown;q=0.9, text/html"}, "text/html"},
		{"wildcard of greater quality", []string{"text/markdown;q=0.9, */*"}, "application/problem+json"},
		{"Chrome", []string{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"}, "text/html"},
		{"specific beats wildcard", []string{"text/html;q=0, */*"}, "application/problem+json"},
		{"specific refuses", []string{"text/*, text/html;q=0"}, "text/markdown"},
		{"nothing offered", []string{"image/png"}, ""},
		{"one refused, others not named", []string{"text/markdown;q=0"}, ""},
		{"all refused", []string{"*/*;q=0"}, ""},
		{"malformed element", []string{";;q=x,,text/,/html,text/markdown"}, "text/markdown"},
		{"malformed throughout", []string{"*/*;;;q=x,,text/"}, "application/problem+json"},
		{"weight out of range", []string{"text/html;q=7, text/markdown;q=0.9"}, "text/html"},
		{"upper-case Q", []string{"text/html;Q=0.1, text/markdown;q=0.2"}, "text/markdown"},
	}
	for _, tt := range tests {
		expect.Same(t, fmt.Sprintf("%s: best of %q", tt.name, tt.accept), tt.want, ParseAccept(tt.accept).Best(offers...))
	}
}

func TestGzip(t *testing.T) {
	t.Parallel()
	tests := []struct {
		encodings []string
		want      bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"gzip"}, true},
		{[]string{"GZIP"}, true},
		{[]string{"x-gzip"}, true},
		{[]string{"br, zstd, gzip;q=0.1"}, true},
		{[]string{"br", "gzip"}, true},
		{[]string{"*"}, true},
		{[]string{"gzip;q=0"}, false},
		{[]string{"gzip;q=0, *"}, false},
		{[]string{"*, gzip;q=0"}, false},
		{[]string{"*;q=0"}, false},
		{[]string{"identity"}, false},
		{[]string{"gzipped"}, false},
	}
	for _, tt := range tests {
		expect.Same(t, fmt.Sprintf("AcceptsGzip(%q)", tt.encodings), tt.want, AcceptsGzip(tt.encodings))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"text/html", "*/*;q=0.5", ";;q=,/", "text/*;q=NaN", "a/b;q=1e-400", "\x00/\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		accept := ParseAccept([]string{header})
		for _, r := range accept {
			if math.IsNaN(r.weight) || r.weight < 0 || r.weight > 1 {
				t.Fatalf("ParseAccept(%q) gives the weight %v", header, r.weight)
			}
		}
		if best := accept.Best("text/html", "text/markdown"); accept.Best(best) != best {
			t.Fatalf("Best of %q is %q, which is refused", header, best)
		}
		AcceptsGzip([]string{header})
	})
}
