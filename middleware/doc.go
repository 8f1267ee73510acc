// Package middleware holds the layers that every request passes, one a file,
// each safe to edit or take out alone. routes/stack.go puts them together.
//
// The order, outermost first, and its reasons:
//
//  1. RequestLog (log.go) gives the request its id and writes its one log line;
//     outermost, so that every answer has both.
//  2. APIVersion (version.go) comes before anything that can answer, so that a
//     403 or a 500 under /v1 carries the version too.
//  3. PageHeaders (page.go) likewise, outside the API: a 404 may be a page.
//  4. Recover (recover.go) turns a panic below it into an internal_error.
//  5. ClientAddress (client.go) finds out whom the limits count.
//  6. Origin (origin.go) refuses foreign browser origins before the route is
//     looked up: they learn nothing of what exists.
//  7. Routing (routing.go) answers what no route takes: 404, 405 with Allow, and
//     the preflight of an origin that passed.
//
// And on the routes that have them:
//
//  8. SignOnRequest (sign.go) before all that can answer: it signs what they say.
//  9. Retired (retired.go) announces the end of a route.
//  10. BodyCap (bodycap.go) before the limit: a 413 takes no slot, and says what is
//     left of them.
//  11. AgentSignature (agent.go), which needs the body, notes who has signed.
//  12. Limit (policy.go) before the handler: an invalid ask takes a slot.
//
// problem.go is the only place that writes an error.
package middleware
