package mutants_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/conform/checks"
	"frontdesk/conform/mutants"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

const everyCheck = "FRONTDESK_TEST_MUTANTS"

// With FRONTDESK_TEST_MUTANTS=all every check runs, and the others that catch a mutant are logged.
func TestMutation(t *testing.T) {
	t.Parallel()
	t.Run("no mutant", func(t *testing.T) {
		t.Parallel()
		for _, result := range findings(t, harness.Changes{}) {
			t.Errorf("%s fails without a mutant: expected %s, got %s", result.Name, result.Expected, result.Got)
		}
	})
	names := map[string]bool{}
	for _, m := range mutants.All() {
		if names[m.Name] {
			t.Errorf("two mutants are called %s", m.Name)
		}
		names[m.Name] = true
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			isCaught(t, m)
		})
	}
}

func isCaught(t *testing.T, m mutants.Mutant) {
	expect.SkipInRace(t, "every check runs")
	var only []string
	if os.Getenv(everyCheck) == "" {
		only = []string{m.Check}
	}
	var names []string
	for _, result := range findings(t, m.Changes(), only...) {
		names = append(names, result.Name)
	}
	t.Logf("%s (%s): caught by %d: %s", m.Name, m.Breaks, len(names), strings.Join(names, ", "))
	if !slices.Contains(names, m.Check) {
		t.Errorf("%s survives the check %s", m.Name, m.Check)
	}
}

func findings(t *testing.T, broken harness.Changes, only ...string) []conform.Result {
	t.Helper()
	sink := harness.ListenMail(t)
	d := harness.Start(t, func(s *config.Settings) {
		s.SMTPURL, s.MailTo = sink.URL(), "owner@desk.example, second@desk.example"
	}, broken)
	options := conform.Options{URL: d.URL, Only: only, Send: true, Sink: sink}
	report := expect.Value(conform.Run(t.Context(), checks.Contract(), options))(t)
	return slices.DeleteFunc(report.Results, func(r conform.Result) bool { return r.Status != conform.Fail })
}
