package conform

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"frontdesk/contract"
)

// Check is one sentence of the contract and the test from outside whether it holds.
type Check struct {
	Name     string // stable, lower case with hyphens
	Section  string // of the contract, such as "8.1"; "D." and a topic of the published decisions
	Sentence string // as the report prints it

	// Run runs the check; each has one. It ends at the first expectation that does not hold.
	Run func(*Probe)
	// Always also examines every answer of the run and returns what was expected of it, "" if
	// nothing is wrong.
	Always func(*Answer) (fault string)

	// Slots counts the slots that the check takes of one client's limits. Real pilot
	// requests and real trials need Options.Send, and more slots than a client has
	// LoopbackOnly.
	Slots map[contract.Policy]int
	// Early checks go first, because a polite run may not have slots for all.
	Early bool
	// NeedsMail marks a check that reads mail: it needs Options.Sink.
	NeedsMail bool
	// LoopbackOnly marks a check that exceeds a limit.
	LoopbackOnly bool
	// MaySend marks a check that sends nothing for real, but that a broken service could
	// read as a real send: away from loopback it needs Options.Send.
	MaySend bool
	// Slow marks a check that waits for a limit's window to pass: it needs Options.Slow.
	Slow bool
}

// turn is when a check runs: early checks in turn 0, those about every answer in turn 2.
func (c *Check) turn() int {
	switch {
	case c.Always != nil:
		return 2
	case c.Early:
		return 0
	}
	return 1
}

// selected returns the checks that match any of the patterns, all without patterns. A
// pattern without a match is a usage error, most likely misspelt.
func selected(checks []Check, patterns []string) ([]Check, error) {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(checks, func(check Check) bool { return check.matches(pattern) }) {
			return nil, fmt.Errorf("--only %s matches no check and no section", pattern)
		}
	}
	return slices.DeleteFunc(slices.Clone(checks), func(check Check) bool {
		return len(patterns) > 0 && !slices.ContainsFunc(patterns, check.matches)
	}), nil
}

// matches reports whether a pattern is the section of the check or one above it, or a glob
// of its name or section.
func (c Check) matches(pattern string) bool {
	byName, _ := path.Match(pattern, c.Name)
	bySection, _ := path.Match(pattern, c.Section)
	return byName || bySection || strings.HasPrefix(c.Section+".", pattern+".")
}
