// Package conformtest runs checks of package conform as subtests of a Go test:
//
//	func TestContract(t *testing.T) {
//		conformtest.Run(t, checks.Contract(), conform.Options{URL: url, Only: []string{"[1-9]*"}})
//	}
//
// It is a separate package so that programs that use conform do not link package testing.
package conformtest

import (
	"testing"

	"frontdesk/conform"
)

// Run runs the selected checks against a running service and reports each as a subtest,
// named by section and check. A check that cannot run is a skipped subtest with its reason.
// An unreachable service fails the test.
func Run(t *testing.T, checks []conform.Check, options conform.Options) {
	t.Helper()
	run, err := conform.Run(t.Context(), checks, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range run.Results {
		t.Run(result.Section+"/"+result.Name, func(t *testing.T) { report(t, result) })
	}
}

// report reports a result as the outcome of a subtest.
func report(t *testing.T, result conform.Result) {
	t.Helper()
	switch result.Status {
	case conform.Skip:
		t.Skip(result.Reason)
	case conform.Fail:
		t.Errorf("section %s: %s\nexpected: %s\ngot: %s\n\n%s", result.Section, result.Sentence, result.Expected, result.Got,
			result.Curl)
	case conform.Pass:
	}
}
