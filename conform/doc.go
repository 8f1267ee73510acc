// Package conform holds the published contract as checks that anyone can run
// against a service from outside, over raw HTTP.
//
// Every Check is one sentence of the contract with the section it stands in; the
// sections that begin with D are what the contract leaves open and frontdesk
// decided. Run plays them and gives a Report; Test plays them as subtests of a
// fork's own tests. Command `frontdesk conform` prints the report.
//
// Nothing is sent for real unless Options.Send is set. A Sink stands in for the
// mail server that the service is set to, and sees what was really sent. Where the
// target is on loopback every check has a client address of its own, so that the
// limits of one do not count the requests of another; elsewhere the run is polite:
// one request at a time, within the limits, and what would break them is skipped
// with the reason.
//
// A check reads like its sentence. What it sends and reads is the probe's
// business (request.go, answer.go), what it may expect is in expect.go, and what
// holds for every answer of a run is watched beside the checks (Check.Always).
//
// The package knows contract and nothing else of this module.
package conform
