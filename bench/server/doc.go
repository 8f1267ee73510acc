// Package server starts servers as separate processes, on processors that the driver does
// not use, and reads their costs: CPU time, memory, the time to the first answer.
//
// The costs of another process can be read only on Linux (proc(5), clock_getres(2)).
package server
