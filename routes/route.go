// Package routes is the published HTTP interface. table.go lists all routes; stack.go
// puts the layers around them.
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
	Aliases []string // other paths of the same operation; they keep working (section 9.5)
	Handler middleware.HandlerFunc

	BodyCap   int64           // bytes; zero means that the body is not read
	Limit     *limits.Limiter // takes a slot for every request
	Signed    bool            // answers are signed on request (RFC 9421 5)
	AnyOrigin bool            // pages of any browser origin may read it (decisions, Origin)
	// Exists is set if the content or the binary names the paths. It reports whether a
	// path exists now; Path is then only the name of the route. Routes with a fixed path
	// take precedence.
	Exists func(path string) bool

	// Only tests and the golden file read the following fields.

	Purpose    string
	TakesSlots []contract.Policy // policies whose slots the handler or its tools take
}

// Paths lists the path and the aliases of a route.
func (r Route) Paths() []string { return append([]string{r.Path}, r.Aliases...) }

// MCP holds the endpoints of the two MCP servers.
type MCP struct {
	Website, Workspace *mcpserver.Handler
}

// withTrials reports whether a path is at and the live content offers trials.
func (m MCP) withTrials(at string) func(path string) bool {
	return func(path string) bool { return path == at && m.Workspace.IsLive() }
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
		Ask:     limits.NewShared(contract.AskPolicy, shared),
		Contact: limits.NewShared(contract.ContactPolicy, shared),
		Trial:   limits.NewShared(contract.TrialPolicy, shared),

		KeyReuse: limits.NewShared(contract.KeyReusePolicy, shared),
	}
}

// Patterns lists every path of the table, and of further routes, as the log and the
// metrics name it, with its methods.
func Patterns(own ...Route) map[string][]string {
	methods := map[string][]string{}
	for _, route := range append(Table(&handlers.API{}, MCP{}, NewLimiters(nil)), own...) {
		for _, path := range route.Paths() {
			methods[path] = append(methods[path], route.Method)
		}
	}
	return methods
}
