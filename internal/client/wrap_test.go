package client

import (
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"exactly fits", "0123456789", 10, []string{"0123456789"}},
		{"fits but for the space at its end", "0123456789 x", 10, []string{"0123456789", "x"}},
		{"long", "one two three four", 9, []string{"one two", "three", "four"}},
		{"own breaks stay", "a\n\nb\n", 10, []string{"a", "", "b", ""}},
		{"word longer than the width", "see https://example.com/a now", 10, []string{"see", "https://example.com/a", "now"}},
		{"indentation is no break", "    abcdefgh ij", 10, []string{"    abcdefgh", "ij"}},
		{"second space stays", "abcd  efgh", 6, []string{"abcd ", "efgh"}},
		{"spaces may hang over", "abcd   ", 4, []string{"abcd   "}},
		{"marks take no room", "e\u0301e\u0301e\u0301 e\u0301", 5, []string{"e\u0301e\u0301e\u0301 e\u0301"}},
	} {
		expect.Same(t, tt.name, tt.want, wrap(tt.text, tt.width))
	}
}

// A break replaces a space and nothing else changes, and a line is too long only when it has no space to break at.
func FuzzWrap(f *testing.F) {
	f.Add("Yes. If the month has not begun, you get all of it back.\n\n  - write to us", 20)
	f.Add("a  b   c\td", 3)
	f.Add("\xff\xfe x 会計 e\u0301", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		lines := wrap(text, width)
		flat := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
		if got := strings.Join(lines, " "); got != flat(text) {
			t.Fatalf("wrap(%q, %d) = %q changes the text", text, width, lines)
		}
		if breaks := strings.Count(text, "\n"); len(lines) < breaks+1 {
			t.Fatalf("wrap(%q, %d) = %q loses breaks", text, width, lines)
		}
		i := slices.IndexFunc(lines, func(line string) bool {
			return columns(strings.TrimRight(line, " ")) > width && strings.Contains(strings.Trim(line, " "), " ")
		})
		if i >= 0 {
			t.Fatalf("wrap(%q, %d): line %q could be broken", text, width, lines[i])
		}
	})
}
