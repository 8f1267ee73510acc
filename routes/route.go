// Package routes is the published HTTP interface. table.go lists all routes; stack.go
// builds the router and puts the middleware around them.
package routes

import (
	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/limits"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
)

// Route is one operation of the HTTP interface.
type Route struct {
	Method  string
	Path    string
	Aliases []string               // other paths of the same operation; they keep working (section 9.5)
	Handler middleware.HandlerFunc // nil for paths that only the content names (API.Find)

	BodyCap   int64           // bytes; zero means that the body is not read
	Limit     *limits.Limiter // takes a slot for every request
	Signed    bool            // answers are signed on request (RFC 9421 5)
	AnyOrigin bool            // pages of any browser origin may read it (decisions, Origin)
	// Optional is set if the row is served only while the live content has its path (API.Has).
	Optional bool

	Purpose string // in a few words, by which the hint of a 404 finds the route

	// TakesSlots are the policies whose slots the handler or its tools take. Only tests and the golden file read them.
	TakesSlots []contract.Policy
}

// Paths lists the path and the aliases of a route.
func (r Route) Paths() []string { return append([]string{r.Path}, r.Aliases...) }

// MCP holds the endpoints of the two MCP servers.
type MCP struct {
	Website, Workspace *mcpserver.Handler
}

// Limiters are the limits of the service, one for each policy. HTTP, MCP and pages share
// them.
type Limiters struct {
	Ask, Contact, Trial *limits.Limiter
	// KeyReuse counts the refusals of a used Idempotency-Key that take no slot.
	KeyReuse *limits.Limiter
}

// NewLimiters returns unused limits for all policies. shared counts for all
// instances; it is nil for a single instance.
func NewLimiters(shared limits.Shared) Limiters {
	return Limiters{
		Ask:     limits.New(contract.AskPolicy, shared),
		Contact: limits.New(contract.ContactPolicy, shared),
		Trial:   limits.New(contract.TrialPolicy, shared),

		KeyReuse: limits.New(contract.KeyReusePolicy, shared),
	}
}

// All returns the rows of a service that has everything set.
func All() []Route {
	const set = "set"
	proofs := map[string]string{contract.PathRegistryAuth: set, contract.PathAppsChallenge: set}
	return Table(&handlers.API{Proofs: proofs}, MCP{}, NewLimiters(nil))
}

// Patterns lists every path of the table, and of further routes, as the log and the
// metrics name it, with its methods.
func Patterns(own ...Route) map[string][]string {
	methods := map[string][]string{}
	for _, route := range append(All(), own...) {
		for _, path := range route.Paths() {
			methods[path] = append(methods[path], route.Method)
		}
	}
	return methods
}
