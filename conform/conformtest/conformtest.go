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

// Run runs the selected checks against a running service as subtests, named by section
// and check. A check that cannot run is a skipped subtest with its reason. An unreachable
// service fails the test.
func Run(t *testing.T, checks []conform.Check, options conform.Options) {
	t.Helper()
	session, err := conform.Start(t.Context(), checks, options)
	if err != nil {
		t.Fatal(err)
	}
	selected := session.Checks()
	t.Run("checks", func(group *testing.T) {
		for i := range selected {
			check := &selected[i]
			if check.RunsLast() {
				continue
			}
			group.Run(check.Section+"/"+check.Name, func(t *testing.T) {
				if !session.Polite() {
					t.Parallel()
				}
				report(t, session.Play(check))
			})
		}
	})
	for i := range selected {
		if check := &selected[i]; check.RunsLast() {
			t.Run(check.Section+"/"+check.Name, func(t *testing.T) { report(t, session.Play(check)) })
		}
	}
}

// report reports a result as the outcome of a subtest.
func report(t *testing.T, result conform.Result) {
	t.Helper()
	switch result.Status {
	case conform.Skip:
		t.Skip(result.Reason)
	case conform.Fail:
		t.Errorf("section %s: %s\nexpected: %s\ngot: %s\n\n%s", result.Section, result.Sentence, result.Expected, result.Got, result.Curl)
	case conform.Pass:
	}
}
