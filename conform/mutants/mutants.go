// Package mutants lists services with one thing broken, and the check of conform that
// has to see each. It shows that conform catches what it claims to catch.
package mutants

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/app"
)

// Mutant is a service with one thing broken.
type Mutant struct {
	Name   string
	Breaks string // the section of the contract, or the topic of the decisions
	Check  string // of conform, which has to fail
	how    change
}

// All are the mutants, each name once.
func All() []Mutant {
	return slices.Concat(limitMutants(), pilotMutants(), bodyMutants(), answerMutants(), accessMutants(), routeMutants(), mcpMutants(),
		headerMutants(), recordMutants(), documentMutants())
}

// Whole replaces nothing that a caller could see.
func Whole() app.Replacements { return asContracted().replacements() }

// Replacements are the parts that break a service so.
func (m Mutant) Replacements() app.Replacements { return m.broken().replacements() }

func (m Mutant) broken() broken {
	b := asContracted()
	m.how(&b)
	return b
}

func asContracted() broken {
	return broken{ask: contract.AskPolicy, contact: contract.ContactPolicy, trial: contract.TrialPolicy}
}

// Table is the page that lists the mutants and the check that catches each.
func Table() []byte {
	all := All()
	rows := map[kind][]Mutant{}
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
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, m.Breaks, m.Check)
		}
	}
	return []byte(b.String())
}
