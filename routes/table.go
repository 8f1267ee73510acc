// Package routes is the published HTTP surface: the table of routes and the stack
// of layers that they stand in.
package routes

import (
	"net/http"
	"slices"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/limits"
	"frontdesk/middleware"
)

// Route is one operation: where it is found, what it may be sent, and who counts
// its requests.
type Route struct {
	Method  string
	Path    string
	Aliases []string // further paths of the same operation; they keep working (section 9.5)
	Purpose string
	Handler middleware.HandlerFunc

	BodyCap int64           // bytes; zero means that the body is not read
	Limit   *limits.Limiter // takes a slot for every request
	// SendLimit takes slots in the core, which alone knows a real send from a dry
	// run. It is named here so that the table is complete.
	SendLimit *limits.Limiter
	// Has is set where the content or the binary names the paths: it tells which
	// there are at this moment, and Path is a pattern for readers. A row with a path
	// of its own goes before.
	Has func(path string) bool

	// ToolLimits take slots in the tools of an MCP server, named for the same reason
	// as SendLimit.
	ToolLimits []*limits.Limiter

	Signed    bool // answers are signed on request (RFC 9421 5)
	AnyOrigin bool // pages of any browser origin may read it (decisions, Origin)
	Retired   middleware.Retirement
}

// Paths lists the path and the aliases of a route.
func (r Route) Paths() []string { return append([]string{r.Path}, r.Aliases...) }

// Limiters are the limits of the service, one a policy, shared by every route and
// face that the policy covers.
type Limiters struct {
	Ask, Contact, Trial *limits.Limiter
}

// NewLimiters returns the limits of all policies, unused. shared counts for all
// instances; nil is an instance that is alone.
func NewLimiters(shared limits.Shared) Limiters {
	return Limiters{
		Ask:     limits.NewShared(contract.AskPolicy, shared),
		Contact: limits.NewShared(contract.ContactPolicy, shared),
		Trial:   limits.NewShared(contract.TrialPolicy, shared),
	}
}

// Table is section 4 of the contract. The registration, Allow, the golden file and
// the documents are made from it.
func Table(api *handlers.API, mcp MCP, limit Limiters) []Route {
	return slices.Concat(apiRoutes(api, limit), mcpRoutes(mcp, limit), keyRoutes(api), documentRoutes(api), pageRoutes(api, limit))
}

// apiRoutes are the versioned API and its aliases.
func apiRoutes(api *handlers.API, limit Limiters) []Route {
	return []Route{
		{Method: http.MethodGet, Path: contract.PathHealth,
			Purpose: "liveness check", Handler: handlers.Health()},
		{Method: http.MethodGet, Path: contract.PathCatalog, Aliases: []string{contract.PathCatalogAlias},
			Purpose: "service and pricing catalog (JSON)", Handler: api.Catalog, Signed: true},
		{Method: http.MethodPost, Path: contract.PathAsk, Aliases: []string{contract.PathAskAlias},
			Purpose: "answer from approved FAQ text", Handler: api.Ask, BodyCap: contract.CapAsk, Limit: limit.Ask, Signed: true},
		{Method: http.MethodPost, Path: contract.PathFeedback,
			Purpose: "feedback on an answer", Handler: api.Feedback, BodyCap: contract.CapFeedback, Limit: limit.Ask},
		{Method: http.MethodPost, Path: contract.PathContact, Aliases: []string{contract.PathContactAlias},
			Purpose: "pilot request or inquiry", Handler: api.Contact, BodyCap: contract.CapContact, SendLimit: limit.Contact, Signed: true},
	}
}

// Patterns lists every path of the table, as the log and the metrics name it.
func Patterns() []string {
	var patterns []string
	for _, route := range Table(&handlers.API{}, MCP{}, NewLimiters(nil)) {
		patterns = append(patterns, route.Paths()...)
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}
