package conform

import (
	"testing"
)

// Option changes what Test plays.
type Option func(*Options)

// Test plays the checks against a running service as subtests, named by section
// and check. A check that cannot be played is a skipped subtest with its reason. A
// service that is not there fails the test.
func Test(t *testing.T, url string, options ...Option) {
	t.Helper()
	chosen := Options{URL: url}
	for _, option := range options {
		option(&chosen)
	}
	r, err := begin(t.Context(), chosen)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("checks", func(t *testing.T) {
		for i := range r.checks {
			if check := &r.checks[i]; !check.last() {
				t.Run(check.Section+"/"+check.Name, func(t *testing.T) {
					if !r.polite {
						t.Parallel()
					}
					report(t, r.play(check))
				})
			}
		}
	})
	for i := range r.checks {
		if check := &r.checks[i]; check.last() {
			t.Run(check.Section+"/"+check.Name, func(t *testing.T) { report(t, r.play(check)) })
		}
	}
}

// report makes a result the outcome of a subtest.
func report(t *testing.T, result Result) {
	t.Helper()
	switch result.Status {
	case Skip:
		t.Skip(result.Reason)
	case Fail:
		t.Errorf("section %s: %s\nexpected: %s\ngot: %s\n\n%s", result.Section, result.Says, result.Expected, result.Got, result.Curl)
	case Pass:
	}
}
