// Package conform checks a running service against a published contract from outside,
// over raw HTTP.
//
// Package conform/checks holds the checks. Command `frontdesk conform` prints the report of
// a run:
//
//	report, err := conform.Run(ctx, checks.Contract(), conform.Options{URL: url})
//
// A Check is one sentence of the contract with its section. Nothing is sent for real
// unless Options.Send is set. A Sink acts as the mail server of the service and keeps
// the mails.
//
// On loopback every check has its own client address, so that no check uses up the limits
// of another. Elsewhere the run is polite: one request at a time and within the limits.
// Checks that would exceed a limit are skipped with the reason.
//
// A Probe sends the requests of one check, an Answer holds the response and has the
// expectations. A check ends at the first expectation that does not hold.
//
// Answers that a reverse proxy gives by itself do not count as failures of the service:
// see Answer.FromProxy.
package conform
