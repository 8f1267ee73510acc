// Package faults breaks what frontdesk depends on while the real program runs, and
// compares the answers that callers got with the mails that arrived: the mail server at
// every stage, the process by SIGKILL and SIGTERM, the disk, the log, connections, file
// descriptors and PostgreSQL. It also runs several instances that share a Redis. Only the
// soak breaks Redis, the model and the content. The package contains only tests. What
// needs much processor time is not parallel: it runs before the other tests, whose
// services would time out beside it.
//
// go test without -race runs a short form of each test. make faults, which sets FRONTDESK_FAULTS=1,
// runs the whole suite in a few minutes, and make soak plays all faults in turn for an
// hour. Random choices follow from a seed that is printed; FRONTDESK_FAULTS_SEED sets it.
package faults
