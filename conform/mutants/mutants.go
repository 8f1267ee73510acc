// Package mutants lists services with one thing broken, each with the check of conform
// that must catch it.
package mutants

import (
	"fmt"
	"slices"
	"strings"

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
	return slices.Concat(limitMutants(), pilotMutants(), bodyMutants(), answerMutants(), accessMutants(), routeMutants(),
		mcpMutants(),
		headerMutants(), recordMutants(), documentMutants())
}

// Replacements returns the parts that break a service.
func (m Mutant) Replacements() (b app.Replacements) {
	m.how(&b)
	return b
}

// Table returns the page that lists the mutants and the check that catches each.
func Table() []byte {
	all := All()
	var b strings.Builder
	fmt.Fprintf(&b, `# What frontdesk conform catches

Each row is a service with one thing broken: one of its parts is replaced, or a layer in front of it changes requests or answers. The test starts it and runs conform against it. `+"`go test`"+` runs the check that the row names, which must fail; `+"`make mutants`"+` runs every check. A new rule of the contract needs a row here and, if that mutant survives, a check.

A section that begins with D is a decision on what the contract leaves open.

| %d mutants | breaks | caught by |
|---|---|---|
`, len(all))
	for _, m := range all {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, m.Breaks, m.Check)
	}
	return []byte(b.String())
}
