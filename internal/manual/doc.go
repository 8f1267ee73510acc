// Package manual makes what is read about a command line of its model in kong, so
// that nothing is written twice: the values in the texts of --help, the man page,
// and the completions of bash, zsh and fish.
//
// Completions are whole scripts: a shell completes without starting the program,
// and a package may ship them as files.
package manual
