package conform

import "slices"

// Check is one sentence of the contract, and how to see from outside that it
// holds.
type Check struct {
	Name    string // stable, lower case with hyphens
	Section string // of the contract, such as "8.1"; "D." and a topic for what frontdesk decided
	Says    string // the sentence

	// Run plays the check. Its expectations stop it when one does not hold.
	Run func(*probe)
	// Always watches every answer of the whole run. It tells whether the sentence
	// is about the answer at all, and what is wrong with it, or nothing.
	Always func(*answer) (concerned bool, fault string)

	// Final plays the check after all others: it speaks of the whole run.
	Final bool

	// What a run of the check takes of one client's limits: questions, real pilot
	// requests, real trials. The last two need Options.Send.
	Asks, Sends, Trials int
	// Vital checks go first where a run is polite and may not play all.
	Vital bool
	// Mail needs a Sink: the check looks at what was mailed.
	Mail bool
	// Rude goes over a limit or sends what is no HTTP: for loopback alone.
	Rude bool
	// Risky is no real send, but one that a broken service could take for one: away
	// from loopback it needs Options.Send too.
	Risky bool
	// Slow waits for a limit's window to pass: it needs Options.Slow.
	Slow bool
}

// Checks are all checks of the contract, in the order of its sections.
func Checks() []Check {
	return inOrder(slices.Concat(
		watched(), documents(), reading(), asking(), contacting(), digests(), fields(),
		access(), signing(), origins(), failures(), limited(), exact(), caps(), transport(), tools(), hostile(), wire(), pages(),
		sending(), mails(), idempotent(), resumed(),
	))
}

// inOrder sorts by section and leaves the order within one as it is written.
func inOrder(checks []Check) []Check {
	slices.SortStableFunc(checks, func(a, b Check) int { return compareSections(a.Section, b.Section) })
	return checks
}
