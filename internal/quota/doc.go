// Package quota keeps in Redis what all instances of the service count together: the
// requests of a client in the window of a policy, and the calls of the model on a day.
// Each decision is one script, which Redis runs atomically, so that exactly the quota
// passes, however many callers there are on however many instances.
//
// The service works without Redis. What Redis does not decide within 100 ms, the
// instance decides by itself, and after the first failure no request waits for Redis
// until a probe in the background has succeeded.
//
// Redis sees only a hash of a client's address, or of the name of a person that was
// hashed with a secret before. That keeps addresses out of listings
// and dumps, although the hash can be reversed by trying all addresses. Such a key
// lives no longer than the window, a minute.
package quota
