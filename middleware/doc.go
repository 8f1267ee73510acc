// Package middleware holds the layers that every request passes, one per file. Each
// can be edited or removed without touching the others; routes/stack.go puts them
// together.
//
// The order, outermost first, and the reason for it:
//
//  1. RequestLog (log.go) gives the request its id and writes its one log line. It
//     is outermost, so that every answer has both.
//  2. APIVersion (version.go) comes before anything that can answer, so that a 403
//     or a 500 under /v1 carries the version too.
//  3. PageHeaders (pageheaders.go) does the same outside the API: a 404 may be a page.
//  4. Recover (recover.go) turns a panic below it into an internal_error.
//  5. ClientAddress (client.go) finds the client that the limits count.
//  6. ConformanceCheck (conform.go) keeps what frontdesk conform asks out of the
//     owner's lists.
//  7. Origin (origin.go, cors.go) refuses foreign browser origins before the route
//     is looked up, so that they do not learn which paths exist.
//  8. Unrouted (routing.go) answers what no route takes: 404, 405 with Allow, and
//     the preflight of an origin that passed.
//
// And on the routes that have them:
//
//  9. SignOnRequest (sign.go) comes before all that can answer, and signs it.
//  10. Retired (retired.go) announces the end of a route.
//  11. BodyCap (bodycap.go) comes before Limit: a 413 takes no slot.
//  12. AgentSignature (agent.go) needs the body, and records whose signature it is.
//  13. Limit (limit.go) comes before the handler: an invalid question takes a slot.
//
// Only problem.go writes errors.
package middleware
