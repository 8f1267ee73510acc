// Package quota keeps in Redis what all instances of the service count together:
// the requests of a client in the window of a policy, and the calls of the model on
// a day. Each decision is one script, which Redis runs as one step, so that of any
// number of callers on any number of instances exactly as many pass as there may.
//
// Redis is a help and never a condition. What cannot be decided there within 100 ms
// is decided by the instance itself, and from the first failure on nobody waits for
// Redis until a probe in the background has succeeded.
//
// The address of a client is not written to Redis, only a hash of it. That keeps
// addresses out of listings and dumps; it is no secret to whoever tries them all.
// Such a key lives no longer than the window, a minute.
package quota
