// Package mutants lists services with one thing broken, each with the check of conform
// that must catch it.
package mutants

import (
	"slices"

	"frontdesk/test/harness"
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

// Changes returns what breaks a service.
func (m Mutant) Changes() (b harness.Changes) {
	m.how(&b)
	return b
}
