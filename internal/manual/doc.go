// Package manual generates the reference of a command line from its kong model: the
// --help texts, the man page, and the completions of bash, zsh and fish.
//
// Completions are whole scripts: a shell completes without starting the program,
// and a package can ship them as files.
package manual
