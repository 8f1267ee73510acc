// Package mutants lists services with one thing broken, each with the check of conform
// that must catch it.
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
	Check  string // of conform, which must fail
	how    change
}

// All lists the mutants. Their names are unique.
func All() []Mutant {
	return slices.Concat(limitMutants(), pilotMutants(), bodyMutants(), answerMutants(), accessMutants(), routeMutants(), mcpMutants(),
		headerMutants(), recordMutants(), documentMutants())
}

// Whole returns replacements without any visible change.
func Whole() app.Replacements { return asContracted().replacements() }

// Replacements returns the parts that break a service.
func (m Mutant) Replacements() app.Replacements { return m.broken().replacements() }

func (m Mutant) broken() broken {
	b := asContracted()
	m.how(&b)
	return b
}

func asContracted() broken {
	return broken{ask: contract.AskPolicy, contact: contract.ContactPolicy, trial: contract.TrialPolicy}
}

// Table returns the page that lists the mutants and the check that catches each.
func Table() []byte {
	all := All()
	rows := map[kind][]Mutant{}
	for _, m := range all {
		rows[m.broken().kind()] = append(rows[m.broken().kind()], m)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# What frontdesk conform catches

Each row is a service with one thing broken; the test starts it and runs conform against it. `+"`go test`"+` runs the check that the row names, which must fail; `+"`make mutants`"+` runs every check. A new rule of the contract needs a row here and, if that mutant survives, a check.

%d mutants: %d are wired of a broken part, %d hear other requests, %d say something else. A section that begins with D is a decision on what the contract leaves open.
`, len(all), len(rows[inside]), len(rows[hears]), len(rows[says]))
	for _, part := range []struct {
		kind        kind
		title, says string
	}{
		{inside, "A part is broken", "One part of the service is replaced: a policy, a sender, a handler, a row of the route table, a tool server, a layer of the stack."},
		{hears, "Requests are read wrongly", "A layer in front of the unchanged service changes requests, as if a part read them wrongly: a field that is repaired, a header that is ignored."},
		{says, "Answers are wrong", "A layer in front of the unchanged service changes its answers."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| mutant | breaks | caught by |\n|---|---|---|\n", part.title, part.says)
		for _, m := range rows[part.kind] {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, m.Breaks, m.Check)
		}
	}
	return []byte(b.String())
}
