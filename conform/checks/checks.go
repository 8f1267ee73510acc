// Package checks holds the contract as checks for package conform: one file for each
// topic, one Check for each sentence. requests.go builds the requests.
package checks

import (
	"slices"

	"frontdesk/conform"
)

// Contract returns the checks of the contract, in the order of its sections.
func Contract() []conform.Check {
	return conform.SortBySection(slices.Concat(
		invariants(), documents(), reading(), asking(), contacting(), digests(), fields(),
		access(), signing(), origins(), failures(), limited(), exact(), caps(), transport(), tools(), malformed(), wire(), pages(),
		sending(), mails(), idempotent(), resumed(),
	))
}
