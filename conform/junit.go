package conform

import (
	"encoding/xml"
	"fmt"
	"io"

	"frontdesk/contract"
)

// The elements of JUnit's format, as CI servers read it.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report in JUnit's XML format.
func (r Report) JUnit(w io.Writer) error {
	suite := junitSuite{
		Name: contract.Product + " conform " + r.URL, Tests: len(r.Results),
		Failures: r.Failed, Skipped: r.Skipped, Time: seconds(r.Millis),
	}
	for _, result := range r.Results {
		c := junitCase{Class: contract.Product + ".conform." + result.Section, Name: result.Name, Time: seconds(result.Millis)}
		switch result.Status {
		case Fail:
			c.Failure = &junitMessage{result.Sentence, printable("expected: " + result.Expected + "\ngot: " + result.Got + "\n\n" + result.Curl)}
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

func seconds(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }
