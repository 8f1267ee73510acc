// Package checks holds the contract as checks for package conform: one file for each
// topic, one Check for each sentence. requests.go builds the requests.
package checks

import (
	"slices"
	"strings"

	"frontdesk/conform"
)

// Contract returns the checks of the contract, in the order of its sections.
func Contract() []conform.Check {
	return collect(invariants, documents, reading, asking, feedback, prompts, contacting, fields, access, signing, origins,
		failures, limited, caps, transport, tools, malformed, wire, pages, sending, mails, idempotent)
}

// collect returns the checks of some topics by section.
func collect(topics ...func(*list)) []conform.Check {
	var all list
	for _, add := range topics {
		add(&all)
	}
	slices.SortStableFunc(all, func(a, b conform.Check) int { return strings.Compare(a.Section, b.Section) })
	return all
}
