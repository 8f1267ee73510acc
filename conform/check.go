package conform

import "frontdesk/contract"

// Check is one sentence of the contract and the test from outside whether it holds.
type Check struct {
	Name     string // stable, lower case with hyphens
	Section  string // of the contract, such as "8.1"; "D." and a topic of the published decisions
	Sentence string // as the report prints it

	// Run runs the check. It ends at the first expectation that does not hold.
	Run func(*Probe)
	// Always examines every answer of the run. It reports whether the sentence applies to
	// the answer, and what is wrong with it; fault is empty if nothing is.
	Always func(*Answer) (applies bool, fault string)

	// Final runs the check after all others, because it is about the whole run.
	Final bool

	// Asks, Sends and Trials count the slots that the check takes of one client's limits:
	// questions, real pilot requests, real trials. The last two need Options.Send.
	Asks, Sends, Trials int
	// Early checks go first, because a polite run may not have slots for all.
	Early bool
	// NeedsMail marks a check that reads mail: it needs Options.Sink.
	NeedsMail bool
	// LoopbackOnly marks a check that exceeds a limit or sends malformed HTTP.
	LoopbackOnly bool
	// MaySend marks a check that sends nothing for real, but that a broken service could
	// read as a real send: away from loopback it needs Options.Send.
	MaySend bool
	// Slow marks a check that waits for a limit's window to pass: it needs Options.Slow.
	Slow bool
}

// runsLast reports whether a check is about the whole run and runs after all others.
func (c *Check) runsLast() bool { return c.Always != nil || c.Final }

// Slots returns the field that counts the slots of a policy, nil if there is none.
func (c *Check) Slots(policy string) *int {
	switch policy {
	case contract.AskPolicy.Name:
		return &c.Asks
	case contract.ContactPolicy.Name:
		return &c.Sends
	case contract.TrialPolicy.Name:
		return &c.Trials
	}
	return nil
}
