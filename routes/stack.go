package routes

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/rs/zerolog"

	"frontdesk/internal/limits"
	"frontdesk/middleware"
)

// Config is the configuration of the layers.
type Config struct {
	Log            zerolog.Logger
	Own            []func(http.Handler) http.Handler // layers of an own main, the outermost first
	Origins        middleware.Origins
	TrustedProxies []netip.Prefix
	Pools          *limits.Pools // nil for none
	Problems       *middleware.Problems
	HTTPS          bool // the base address is an https one
	// What the layers of these names call.
	SignOnRequest  func(accept []string, status int, header http.Header, body []byte)
	AgentSignature func(r *http.Request, body []byte) (outcome, agent string) // nil when no agent is known
	Observe        func(middleware.Finished)                                  // nil when nothing counts the requests
}

// New puts the layers around a table of routes. The doc comment of package middleware
// explains their order.
func New(table []Route, c Config) http.Handler {
	c.Origins.OpenPaths = openPaths(table)
	router := chi.NewRouter()
	router.Use(
		middleware.RequestLog(c.Log, c.Observe),
		middleware.StandardHeaders(c.HTTPS),
		middleware.Recover(c.Problems),
		middleware.ClientAddress(c.TrustedProxies, c.Pools, c.Log),
		middleware.ConformanceCheck,
	)
	router.Use(c.Own...)
	router.Use(middleware.Origin(c.Origins, c.Problems))
	for _, route := range table {
		if route.Exists != nil {
			continue
		}
		layered := router.With(layers(route, c)...)
		for _, path := range route.Paths() {
			for _, method := range methods(route) {
				layered.Method(method, path, c.Problems.Handle(route.Handler))
			}
		}
	}
	unrouted := middleware.Unrouted(methodsByPath(table), c.Problems)
	router.NotFound(named(table, c, unrouted))
	router.MethodNotAllowed(unrouted)
	return router
}

// layers returns the layers of one route, the outermost first.
func layers(route Route, c Config) chi.Middlewares {
	var layers chi.Middlewares
	if route.Signed {
		layers = append(layers, middleware.SignOnRequest(c.SignOnRequest))
	}
	if route.BodyCap > 0 {
		layers = append(layers, middleware.BodyCap(route.BodyCap, route.Limit, c.Problems))
	}
	if c.AgentSignature != nil {
		layers = append(layers, middleware.AgentSignature(c.AgentSignature))
	}
	if route.Limit != nil {
		layers = append(layers, middleware.Limit(route.Limit, c.Problems))
	}
	return layers
}

// named serves the routes whose paths the content or the binary names. The router calls
// it for paths that it does not know; unrouted answers the rest.
func named(table []Route, c Config, unrouted http.Handler) http.HandlerFunc {
	served := map[string]http.Handler{}
	for _, route := range table {
		if route.Exists != nil {
			served[route.Path] = layers(route, c).Handler(c.Problems.Handle(route.Handler))
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		route := find(table, middleware.RoutedPath(r), r.Method)
		if route == nil {
			unrouted.ServeHTTP(w, r)
			return
		}
		// The log and the metrics name these requests by their route too.
		chi.RouteContext(r.Context()).RoutePatterns = []string{route.Path}
		served[route.Path].ServeHTTP(w, r)
	}
}

// find returns the route that names a path and answers a method, or nil.
func find(table []Route, path, method string) *Route {
	for i, route := range table {
		if route.Exists != nil && slices.Contains(methods(route), method) && route.Exists(path) {
			return &table[i]
		}
	}
	return nil
}

// methods lists the methods of a route. HEAD is answered wherever GET is (RFC 9110
// 9.3.2).
func methods(route Route) []string {
	if route.Method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{route.Method}
}

// methodsByPath returns a function that lists the methods of a path, sorted, or nil
// for a path that does not exist.
func methodsByPath(table []Route) func(path string) []string {
	fixed := map[string][]string{}
	for _, route := range table {
		if route.Exists != nil {
			continue
		}
		for _, path := range route.Paths() {
			fixed[path] = append(fixed[path], methods(route)...)
			slices.Sort(fixed[path])
		}
	}
	return func(path string) []string {
		if methods := fixed[path]; methods != nil {
			return methods
		}
		var named []string
		for _, route := range table {
			if route.Exists != nil && route.Exists(path) {
				named = append(named, methods(route)...)
			}
		}
		slices.Sort(named)
		return slices.Compact(named)
	}
}

// openPaths returns the paths that pages of any origin may read.
func openPaths(table []Route) map[string]bool {
	open := map[string]bool{}
	for _, route := range table {
		if route.AnyOrigin {
			for _, path := range route.Paths() {
				open[path] = true
			}
		}
	}
	return open
}
