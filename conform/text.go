package conform

import (
	"fmt"
	"io"
	"strings"
)

// Text writes the report for people: every failure with commands that reproduce it, the
// skipped checks with reasons, and the counts.
func (r Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", printable(r.URL), r.Mode)
	for _, result := range r.Results {
		if result.Status == Fail {
			result.failure(&b)
		}
	}
	r.skips(&b)
	fmt.Fprintf(&b, "\n%d checks in %.1f s: %d passed, %d failed, %d skipped\n",
		len(r.Results), float64(r.Millis)/1000, r.Passed, r.Failed, r.Skipped)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Result) failure(b *strings.Builder) {
	fmt.Fprintf(b, "\nFAIL  %s  %s\n", r.Section, r.Name)
	for _, part := range []struct{ title, text string }{
		{"", r.Sentence}, {"expected", r.Expected}, {"got", r.Got}, {"try", r.Curl},
	} {
		indented(b, part.title, part.text)
	}
}

// indented writes a text of several lines to the right of a title.
func indented(b *strings.Builder, title, text string) {
	for line := range strings.SplitSeq(printable(text), "\n") {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(fmt.Sprintf("      %-9s %s", title, line), " "))
		title = ""
	}
}

// skips lists the skipped checks by reason.
func (r Report) skips(b *strings.Builder) {
	var reasons []string
	names, slots := map[string][]string{}, map[string]int{}
	for _, result := range r.Results {
		if result.Status != Skip {
			continue
		}
		if names[result.Reason] == nil {
			reasons = append(reasons, result.Reason)
		}
		names[result.Reason] = append(names[result.Reason], result.Name)
		slots[result.Reason] += result.Slots
	}
	for _, reason := range reasons {
		skipped := names[reason]
		fmt.Fprintf(b, "\nskipped %d: %s\n", len(skipped), reason)
		if n := slots[reason]; n > 0 {
			fmt.Fprintf(b, "      (they would take %d slots)\n", n)
		}
		for _, line := range linesOf(skipped, 90) {
			fmt.Fprintf(b, "      %s\n", line)
		}
	}
}

// linesOf joins words into lines of about a width.
func linesOf(words []string, width int) []string {
	lines := []string{words[0]}
	for _, word := range words[1:] {
		if last := len(lines) - 1; len(lines[last])+len(word) < width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
