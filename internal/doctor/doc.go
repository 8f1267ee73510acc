// Package doctor examines a service as its operator would have to: the settings,
// what they lead to (mail server, model, data folder), and whether callers reach
// it. It sends no mail, asks no question and makes no record.
//
// A check is a name and a function ([Check]); checks.go lists them in the order in
// which they are printed, and each family has a file. The checks know nothing of
// each other and run at the same time, each within its own bound, so that one that
// hangs hides no other. No finding holds a secret.
package doctor
