package conform

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"frontdesk/contract"
)

// Status is how a check ended.
type Status string

const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Result is the result of one check. Expected, Got and Curl are set when it failed,
// Reason when it was skipped.
type Result struct {
	Name     string `json:"name"`
	Section  string `json:"section"`
	Sentence string `json:"says"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	// Curl holds shell commands that send what the check sent.
	Curl   string `json:"curl,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Slots is how many slots of a limit the check would have taken, if it was skipped
	// because the run had used them all.
	Slots int `json:"slots,omitempty"`
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

// Text writes the report for people: every failure with commands that reproduce it, the
// skipped checks with reasons, and the counts.
func (r Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", printable(r.URL), r.Mode)
	for _, result := range r.Results {
		if result.Status == Fail {
			fmt.Fprintf(&b, "\nFAIL  %s  %s\n", result.Section, result.Name)
			for _, part := range [][2]string{{"", result.Sentence}, {"expected", result.Expected}, {"got", result.Got},
				{"try", result.Curl}} {
				indented(&b, part[0], part[1])
			}
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
		slots, names, length := 0, "", 0 // length of the last line
		for _, result := range group {
			slots += result.Slots
			if length += len(result.Name) + 1; names == "" || length > namesWidth {
				names, length = names+"\n     ", len(result.Name)
			}
			names += " " + result.Name
		}
		fmt.Fprintf(b, "\nskipped %d: %s", len(group), first.Reason)
		if slots > 0 {
			fmt.Fprintf(b, "\n      (they would take %d slots)", slots)
		}
		fmt.Fprintf(b, "%s\n", names)
	}
}

// namesWidth is the longest line of names, unless it is a single one.
const namesWidth = 90

// The elements of JUnit's format, as CI servers read it.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"` // seconds
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Skipped *junitMessage `xml:"skipped,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report in JUnit's XML format.
func (r Report) JUnit(w io.Writer) error {
	seconds := func(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }
	suite := junitSuite{
		Name: contract.Product + " conform " + r.URL, Tests: len(r.Results),
		Failures: r.Failed, Skipped: r.Skipped, Time: seconds(r.Millis),
	}
	for _, result := range r.Results {
		c := junitCase{Class: contract.Product + ".conform." + result.Section, Name: result.Name,
			Time: seconds(result.Millis)}
		switch result.Status {
		case Fail:
			c.Failure = &junitMessage{result.Sentence,
				printable("expected: " + result.Expected + "\ngot: " + result.Got + "\n\n" + result.Curl)}
		case Skip:
			c.Skipped = &junitMessage{Message: result.Reason}
		case Pass:
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
