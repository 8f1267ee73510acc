package payload

import (
	"math"
	"testing"

	"frontdesk/internal/expect"
)

func TestBest(t *testing.T) {
	t.Parallel()
	offers := []string{"application/problem+json", "text/html", "text/markdown"}
	tests := []struct {
		name, accept, want string
	}{
		{"empty", "", "application/problem+json"},
		{"anything", "*/*", "application/problem+json"},
		{"html", "text/html", "text/html"},
		{"markdown", "text/markdown", "text/markdown"},
		{"parameter", "text/markdown; charset=utf-8", "text/markdown"},
		{"browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"},
		{"agent", "text/markdown, text/html;q=0.8, */*;q=0.1", "text/markdown"},
		{"weights", "text/html;q=0.5, text/markdown;q=0.6", "text/markdown"},
		{"weight with spaces", "text/html ; q=0.5 , text/markdown ; q = 0.6", "text/markdown"},
		{"explicit beats wildcard", "text/markdown, */*", "text/markdown"},
		{"explicit beats wildcard before it", "*/*, text/markdown", "text/markdown"},
		{"explicit beats main type", "text/*, text/markdown", "text/markdown"},
		{"first listed", "text/markdown, text/html", "text/markdown"},
		{"first listed, other order", "text/html, text/markdown", "text/html"},
		{"quality before place", "text/markdown;q=0.9, text/html", "text/html"},
		{"wildcard of greater quality", "text/markdown;q=0.9, */*", "application/problem+json"},
		{"Chrome", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7", "text/html"},
		{"specific beats wildcard", "text/html;q=0, */*", "application/problem+json"},
		{"specific refuses", "text/*, text/html;q=0", "text/markdown"},
		{"nothing offered", "image/png", ""},
		{"one refused, others not named", "text/markdown;q=0", ""},
		{"all refused", "*/*;q=0", ""},
		{"malformed element", ";;q=x,,text/,/html,text/markdown", "text/markdown"},
		{"malformed throughout", "*/*;;;q=x,,text/", "application/problem+json"},
		{"weight out of range", "text/html;q=7, text/markdown;q=0.9", "text/html"},
		{"upper-case Q", "text/html;Q=0.1, text/markdown;q=0.2", "text/markdown"},
	}
	for _, tt := range tests {
		expect.Same(t, tt.name, tt.want, ParseAccept([]string{tt.accept}).Best(offers...))
	}
	expect.Same(t, "absent", offers[0], ParseAccept(nil).Best(offers...))
}

func TestGzip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		encoding string
		want     bool
	}{
		{"", false},
		{"gzip", true},
		{"GZIP", true},
		{"x-gzip", true},
		{"br, zstd, gzip;q=0.1", true},
		{"*", true},
		{"gzip;q=0", false},
		{"gzip;q=0, *", false},
		{"*, gzip;q=0", false},
		{"*;q=0", false},
		{"identity", false},
		{"gzipped", false},
	} {
		expect.Same(t, tt.encoding, tt.want, AcceptsGzip([]string{tt.encoding}))
	}
	expect.Same(t, "absent", false, AcceptsGzip(nil))
	expect.Same(t, "in the second line", true, AcceptsGzip([]string{"br", "gzip"}))
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
