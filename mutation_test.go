package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/contract"
	"frontdesk/internal/golden"
)

// mutant is a service with one thing broken, and the check of conform that has to
// see it.
type mutant struct {
	name   string
	breaks string // the section of the contract, or the topic of the decisions
	check  string
	how    change
}

// everyCheck is the environment variable that plays all checks against each mutant.
const everyCheck = "FRONTDESK_TEST_MUTANTS"

func mutants() []mutant {
	return slices.Concat(limitMutants(), pilotMutants(), bodyMutants(), answerMutants(), accessMutants(), routeMutants(), mcpMutants(),
		headerMutants(), recordMutants(), documentMutants())
}

func asContracted() broken {
	return broken{ask: contract.AskPolicy, contact: contract.ContactPolicy, trial: contract.TrialPolicy}
}

// TestMutation breaks one thing of the service at a time and shows that conform sees
// each of them. Here it plays the named check alone; with FRONTDESK_TEST_MUTANTS=all
// it plays every check and logs what else sees the mutant.
func TestMutation(t *testing.T) {
	t.Parallel()
	whole := startDesk(t, nil)
	t.Run("no mutant", func(t *testing.T) {
		t.Parallel()
		for _, result := range findings(t, whole, asContracted()) {
			t.Errorf("%s fails without a mutant: expected %s, got %s", result.Name, result.Expected, result.Got)
		}
	})
	names := map[string]bool{}
	for _, m := range mutants() {
		if names[m.name] {
			t.Errorf("two mutants are called %s", m.name)
		}
		names[m.name] = true
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.isCaught(t, whole)
		})
	}
	golden.Check(t, "docs/conform-mutants.md", mutantTable(mutants()))
}

func (m mutant) broken() broken {
	b := asContracted()
	m.how(&b)
	return b
}

func (m mutant) isCaught(t *testing.T, whole *desk) {
	var only []string
	if os.Getenv(everyCheck) == "" {
		only = []string{m.check}
	}
	var names []string
	for _, result := range findings(t, whole, m.broken(), only...) {
		names = append(names, result.Name)
	}
	t.Logf("%s (%s): caught by %d: %s", m.name, m.breaks, len(names), strings.Join(names, ", "))
	if !slices.Contains(names, m.check) {
		t.Errorf("%s survives the check %s", m.name, m.check)
	}
}

// findings are the checks that fail against a service.
func findings(t *testing.T, whole *desk, b broken, only ...string) []conform.Result {
	t.Helper()
	url, sink := startBroken(t, whole, b)
	report, err := conform.Run(t.Context(), conform.Options{URL: url, Only: only, Send: true, Sink: sink})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(report.Results, func(r conform.Result) bool { return r.Status != conform.Fail })
}

// mutantTable is the page that shows what is caught, and by what.
func mutantTable(all []mutant) []byte {
	rows := map[kind][]mutant{}
	for _, m := range all {
		rows[m.broken().kind()] = append(rows[m.broken().kind()], m)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# What frontdesk conform catches

Each row is a service with one thing broken; the test starts it and runs conform against it. `+"`go test`"+` plays the check that the row names, which has to fail; `+"`make mutants`"+` plays every check. A change of the contract's meaning that no row breaks wants a row and, if that survives, a check.

%d mutants: %d are wired of a broken part, %d hear other requests, %d say something else. A section that begins with D is a decision on what the contract leaves open.
`, len(all), len(rows[inside]), len(rows[hears]), len(rows[says]))
	for _, part := range []struct {
		kind        kind
		title, says string
	}{
		{inside, "Wired of a broken part", "The constructors and interfaces that the service is made of are given something else in one place: a policy, a sender, a desk, a handler, a row of the route table, a tool server, a layer of the stack."},
		{hears, "Hears other requests", "The service is whole, and a layer before it changes requests as a part that reads them wrongly would: a field that is repaired, a header that is not looked at."},
		{says, "Says something else", "The service is whole, and a layer before it changes its answers."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| mutant | breaks | caught by |\n|---|---|---|\n", part.title, part.says)
		for _, m := range rows[part.kind] {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.name, m.breaks, m.check)
		}
	}
	return []byte(b.String())
}
