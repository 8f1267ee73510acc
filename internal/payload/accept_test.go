package payload

import (
	"fmt"
	"math"
	"testing"

	"frontdesk/internal/expect"
)

// Accept headers, by the offer that each prefers.
func TestBest(t *testing.T) {
	t.Parallel()
	offers := []string{"application/problem+json", "text/html", "text/markdown"}
	for want, headers := range map[string][]string{
		offers[0]: {"", "*/*", "text/html;q=0, */*", "text/markdown;q=0.9, */*", "*/*;;;q=x,,text/", "text/html/*"},
		offers[1]: {
			"text/html, text/markdown", "text/markdown;q=0.9, text/html", "text/html;q=7, text/markdown;q=0.9",
			"text/html,application/xml;q=0.9,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
		},
		offers[2]: {
			"Text/Markdown; charset=utf-8", "text/markdown, text/html", "text/markdown, text/html;q=0.8, */*;q=0.1",
			"text/markdown, */*", "*/*, text/markdown", "text/*, text/markdown", "text/*, text/html;q=0",
			"text/html ; q=0.5 , text/markdown ; q = 0.6", "text/html;Q=0.1, text/markdown;q=0.2",
			";;q=x,,text/,/html,text/markdown",
		},
		"": {"image/png", "text/markdown;q=0", "*/*;q=0"},
	} {
		for _, header := range headers {
			expect.Same(t, header, want, ParseAccept([]string{header}).Best(offers...))
		}
	}
	expect.Same(t, "absent", offers[0], ParseAccept(nil).Best(offers...))
}

func TestGzip(t *testing.T) {
	t.Parallel()
	for want, headers := range map[bool][][]string{
		true:  {{"gzip"}, {"GZIP"}, {"x-gzip"}, {"br, zstd, gzip;q=0.1"}, {"*"}, {"br", "gzip"}},
		false: {nil, {""}, {"gzip;q=0"}, {"gzip;q=0, *"}, {"*, gzip;q=0"}, {"*;q=0"}, {"identity"}, {"gzipped"}},
	} {
		for _, values := range headers {
			expect.Same(t, fmt.Sprint(values), want, AcceptsGzip(values))
		}
	}
}

func TestPreferredLanguage(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"en, pt-BR": "pt-BR", "pt-PT": "pt", "zh-TW": "zh-Hant", "zh;q=0": "", "*": "", "pt-AO": "pt"} {
		expect.Same(t, header, want, PreferredLanguage([]string{header}, "ja", "pt", "pt-BR", "zh-Hans", "zh-Hant"))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"text/html", "*/*;q=0.5", ";;q=,/", "text/*;q=NaN", "a/b;q=1e-400", "\x00/\xff", "text/html/*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		accept := ParseAccept([]string{header})
		for _, r := range accept {
			if math.IsNaN(r.weight) || r.weight < 0 || r.weight > 1 {
				t.Fatalf("%q: weight %v", header, r.weight)
			}
		}
		if best := accept.Best("text/html", "text/markdown"); accept.Best(best) != best {
			t.Fatalf("Best of %q is %q, which is refused", header, best)
		}
		AcceptsGzip([]string{header})
	})
}
