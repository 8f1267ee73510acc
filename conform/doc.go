// Package conform plays checks of a published contract against a service from
// outside, over raw HTTP.
//
// Package conform/checks holds the checks, and package conform/conformtest runs them
// as Go subtests. Command `frontdesk conform` prints the report of a run:
//
//	report, err := conform.Run(ctx, checks.Contract(), conform.Options{URL: url})
//
// A Check is one sentence of the contract with its section. Nothing is sent for real
// unless Options.Send is set. A Sink acts as the mail server of the service and keeps
// what was really sent.
//
// On loopback every check has a client address of its own, so that the limits of one
// check do not count the requests of another. Elsewhere the run is polite: one request
// at a time and within the limits. Checks that would exceed a limit are skipped with
// the reason.
//
// A Probe sends the requests of one check, an Answer holds what came back and has the
// expectations. A check that fails ends at the first expectation that does not hold.
//
// Answers that a reverse proxy gives by itself are not held against the service: see
// Answer.FromProxy.
package conform
