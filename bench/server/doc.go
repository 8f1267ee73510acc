// Package server starts servers as processes of their own, on processors that the
// driver does not use, and reads what they cost: CPU time, memory, the time to the
// first answer.
//
// The kernel's accounts of another process are Linux's (proc(5), clock_getres(2)).
package server
