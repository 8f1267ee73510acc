// Package limits applies the rate limits of the contract (section 8): at most N
// requests of one client in any 60 seconds, and a client that waits for the time it
// was given is accepted.
//
// One Limiter serves all routes of a policy on every face of the service: a
// middleware for HTTP, the core after a dry run has been answered, the tools of MCP.
//
// With a Shared store all instances of the service count together (shared.go). The
// store decides; while it cannot be reached, each instance decides by itself.
//
// httprate holds the policy, and the counter is our own sliding log. httprate's own
// counter estimates the last window from two fixed ones, so it refuses clients that
// waited for Retry-After and lets more than N through at the edge of a window.
package limits
