// Package faults breaks what frontdesk depends on, while the real program runs, and
// counts what its callers heard against what arrived: the mail server at every
// stage, the process by SIGKILL and SIGTERM, the disk, the log, connections and file
// descriptors; Redis, PostgreSQL, the model and the content; and instances that share
// them. It holds tests alone.
//
// go test runs a short form of each test. The whole suite, a few minutes, is
// `make faults`, which sets FRONTDESK_FAULTS=1. What is random follows from a seed,
// which is printed; FRONTDESK_FAULTS_SEED gives it again.
package faults
