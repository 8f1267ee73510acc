package content

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLoad reads a very large FAQ.
func BenchmarkLoad(b *testing.B) {
	for _, entries := range []int{30, 1_000, 10_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			fsys := folder(files{faqFile: manyEntries(entries)})
			b.ReportAllocs()
			for b.Loop() {
				mustLoad(b, fsys)
			}
		})
	}
}

func manyEntries(n int) string {
	var text strings.Builder
	text.WriteString("fallback: F\nentries:\n")
	for i := range n {
		fmt.Fprintf(&text, "  - id: entry-%d\n    question: What is number %d?\n    alternates:\n", i, i)
		for j := range 4 {
			fmt.Fprintf(&text, "      - In which other words, of which there are %d, do they ask for number %d?\n", j, i)
		}
		text.WriteString("    answer: |\n      Two lines of text that a person wrote and approved.\n      This is the second of them.\n    expires: 2099-12-31\n")
	}
	return text.String()
}
