// Package middleware holds the middleware that requests pass. routes/stack.go puts it together.
//
// The order, outermost first, and the reason for it:
//
//  1. RequestLog (log.go) gives the request its id and writes its one log line. It
//     is outermost, so that every answer has both.
//  2. StandardHeaders (browsers.go) comes before anything that can answer, so that a 403
//     or a 500 also has the version, or the headers of a page.
//  3. Recover (problem.go) turns a panic below it into an internal_error.
//  4. ClientAddress (client.go) finds the client that the limits count.
//  5. ConformanceCheck (client.go) keeps what frontdesk conform asks out of the owner's lists.
//  6. Origin (browsers.go) refuses foreign browser origins before the route is looked up, so
//     that they do not learn which paths exist.
//  7. Unrouted (routing.go) answers what no route takes: 404, 405 with Allow, and
//     the preflight of an origin that passed.
//
// And on the routes that have them:
//
//  8. SignOnRequest (route.go) comes before anything that can answer, and signs the answer.
//  9. BodyCap (route.go) comes before Limit: a 413 takes no slot.
//  10. Limit (route.go) comes before the handler: an invalid question takes a slot.
//
// Only problem.go writes errors.
package middleware
