// Package doctor checks a service for its operator: the settings, every dependency that
// they configure (mail server, model, data folder, …), and whether callers reach it. It
// sends no mail, asks no question and stores no record.
//
// A check is a name and a function ([Check]); checks.go lists them in the order of the
// report, and each family has a file. The checks are independent and run concurrently,
// each with its own time limit, so that a hanging check hides no other. No finding
// contains a secret.
package doctor
