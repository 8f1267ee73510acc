package conform

import (
	"fmt"
	"io"
	"strings"
)

// Status is how a check ended.
type Status string

const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Result is the result of one check. Sent, Expected and Got are set when it failed,
// Reason when it was skipped.
type Result struct {
	Name     string `json:"name"`
	Section  string `json:"section"`
	Sentence string `json:"says"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	Sent     string `json:"sent,omitempty"` // the beginning of the last request
	Reason   string `json:"reason,omitempty"`
	// Millis is how long the check took, in milliseconds.
	Millis int64 `json:"ms"`
}

// Report is the result of a run. Its results are in the order of the contract.
type Report struct {
	URL  string `json:"url"`
	Mode string `json:"mode"` // how the checks were run, and why
	// Passed, Failed and Skipped count the results.
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Millis  int64    `json:"ms"`
	Results []Result `json:"results"`
}

// count sets the counts.
func (r *Report) count() {
	n := map[Status]int{}
	for _, result := range r.Results {
		n[result.Status]++
	}
	r.Passed, r.Failed, r.Skipped = n[Pass], n[Fail], n[Skip]
}

// Text writes the report for people: every failure with what was sent, the
// skipped checks with reasons, and the counts.
func (r Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", printable(r.URL), r.Mode)
	for _, result := range r.Results {
		if result.Status == Fail {
			fmt.Fprintf(&b, "\nFAIL  %s  %s\n", result.Section, result.Name)
			indented(&b, "", result.Sentence)
			indented(&b, "sent", result.Sent)
			indented(&b, "expected", result.Expected)
			indented(&b, "got", result.Got)
		}
	}
	r.skips(&b)
	fmt.Fprintf(&b, "\n%d checks in %.1f s: %d passed, %d failed, %d skipped\n",
		len(r.Results), float64(r.Millis)/1000, r.Passed, r.Failed, r.Skipped)
	_, err := io.WriteString(w, b.String())
	return err
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
	skipped := map[string][]Result{}
	for _, result := range r.Results {
		skipped[result.Reason] = append(skipped[result.Reason], result)
	}
	for _, first := range r.Results {
		group := skipped[first.Reason]
		if delete(skipped, first.Reason); first.Status != Skip || group == nil {
			continue
		}
		names, length := "", 0 // length of the last line
		for _, result := range group {
			if length += len(result.Name) + 1; names == "" || length > namesWidth {
				names, length = names+"\n     ", len(result.Name)
			}
			names += " " + result.Name
		}
		fmt.Fprintf(b, "\nskipped %d: %s%s\n", len(group), first.Reason, names)
	}
}

// namesWidth is the longest line of names, unless it is a single one.
const namesWidth = 90
