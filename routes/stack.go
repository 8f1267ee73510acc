package routes

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/rs/zerolog"

	"frontdesk/handlers"
	"frontdesk/internal/limits"
	"frontdesk/middleware"
)

// everything is the pattern of the wildcard, which takes what no row takes.
const everything = "/*"

// Config is the configuration of the middleware.
type Config struct {
	Content        *handlers.API // answers the paths that the content names; nil for none
	Log            zerolog.Logger
	Own            []middleware.Layer // layers of a custom main, the outermost first
	Origins        middleware.Origins
	TrustedProxies []netip.Prefix
	Pools          *limits.Pools // nil for none
	Problems       *middleware.Problems
	HTTPS          bool // the base address is an https one
	SignOnRequest  middleware.Signer
	Observe        func(middleware.Finished) // counts requests; nil for none
}

// New returns the router of a table, inside the middleware. The doc comment of package middleware
// explains the order.
func New(table []Route, c Config) http.Handler {
	c.Origins.OpenPaths = map[string]bool{} // filled below, before the first request
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
	methodsAt := methodsOf(router, table, c.Content)
	unrouted := middleware.Unrouted(methodsAt, nearest(table, methodsAt), c.Problems)
	for _, route := range table {
		if route.Handler == nil {
			continue
		}
		handler := layers(route, c).Handler(c.Problems.Handle(route.Handler))
		for _, path := range route.Paths() {
			if route.AnyOrigin {
				c.Origins.OpenPaths[path] = true
			}
			served := named(path, handler)
			if route.Optional {
				served = optional(c.Content, served, unrouted)
			}
			for _, method := range methods(route) {
				router.Method(method, path, served)
			}
		}
	}
	rest := wildcard(c, unrouted)
	router.Handle(everything, rest)
	router.NotFound(rest)         // a path without a slash at its start
	router.MethodNotAllowed(rest) // a method that chi does not know
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
	if route.Limit != nil {
		layers = append(layers, middleware.Limit(route.Limit, c.Problems))
	}
	return layers
}

// named names the route of a request in the log and the metrics.
func named(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		middleware.NameRoute(w, path)
		next.ServeHTTP(w, r)
	})
}

// optional serves a row only while the live content has the path of the request.
func optional(content *handlers.API, row, unrouted http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if content.Has(middleware.RoutedPath(r)) {
			row.ServeHTTP(w, r)
			return
		}
		unrouted.ServeHTTP(w, r)
	})
}

// wildcard serves GET and HEAD of the paths that the live content names; unrouted answers the rest.
func wildcard(c Config, unrouted http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c.Content != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			if name, answer := c.Content.Find(middleware.RoutedPath(r)); answer != nil {
				named(name, c.Problems.Handle(answer)).ServeHTTP(w, r)
				return
			}
		}
		unrouted.ServeHTTP(w, r)
	}
}

// methods lists the methods of a route. HEAD is answered wherever GET is (RFC 9110
// 9.3.2).
func methods(route Route) []string {
	if route.Method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{route.Method}
}

// methodsOf returns a function that lists the methods of a path, sorted, or nil for a path that
// does not exist: those of the table, and GET and HEAD of a path that the live content names.
func methodsOf(router *chi.Mux, table []Route, content *handlers.API) func(path string) []string {
	var all []string
	isOptional := map[string]bool{} // by method and path
	for _, route := range table {
		for _, method := range methods(route) {
			all = append(all, method)
			isOptional[method+route.Path] = route.Optional
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return func(path string) (found []string) {
		for _, method := range all {
			pattern := router.Find(chi.NewRouteContext(), method, path)
			if pattern != "" && pattern != everything && (!isOptional[method+pattern] || content != nil && content.Has(path)) {
				found = append(found, method)
			}
		}
		if content != nil {
			if _, answer := content.Find(path); answer != nil && !strings.HasSuffix(path, "/") { // not one that leads on
				found = append(found, http.MethodGet, http.MethodHead)
			}
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
}
