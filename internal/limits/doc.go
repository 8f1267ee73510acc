// Package limits keeps the rate limits of the contract (section 8): at most N
// requests of one client in any 60 seconds, and whoever waits the time it was
// told is accepted.
//
// One Limiter serves all routes of a policy and every face of the service: HTTP
// asks it in a middleware, the core after a dry run has left, MCP in its tools.
//
// With a Shared store all instances of the service count together (shared.go): the
// store decides, and the instance alone while the store cannot be asked.
//
// The decision of an instance is httprate's; the counting is our own sliding log. httprate's
// counter estimates the past window from two fixed ones, so it refuses a client
// that waited as told and lets more than N through at a window's edge.
package limits
