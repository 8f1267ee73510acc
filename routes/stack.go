package routes

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/rs/zerolog"

	"frontdesk/middleware"
)

// Config is what the layers need to know of the service.
type Config struct {
	Log            zerolog.Logger
	Origins        middleware.Origins
	TrustedProxies []netip.Prefix
	Problems       *middleware.Problems
	HTTPS          bool // the base address is an https one
	Signer         middleware.AnswerSigner
	Agents         middleware.AgentChecker // nil when no agent is known
	Observer       middleware.Observer     // nil when nobody counts
}

// New puts a table of routes behind the layers. The order of the layers and its
// reasons stand in the documentation of package middleware.
func New(table []Route, c Config) http.Handler {
	c.Origins.OpenPaths = openPaths(table)
	// Around the router and not in it: so RequestLog gives the request the one
	// context that all of them use, and the router makes no other.
	layers := chi.Chain(
		middleware.RequestLog(c.Log, c.Observer),
		middleware.APIVersion,
		middleware.PageHeaders(c.HTTPS),
		middleware.Recover(c.Problems),
		middleware.ClientAddress(c.TrustedProxies, c.Log),
		middleware.Origin(c.Origins, c.Problems),
	)
	router := chi.NewRouter()
	methods := middleware.Methods{}
	for _, route := range table {
		if route.Has != nil {
			continue
		}
		handler := layered(route, c)
		for _, path := range route.Paths() {
			methods.Add(path, route.Method)
			router.Method(route.Method, path, handler)
			if route.Method == http.MethodGet { // RFC 9110 9.3.2: HEAD wherever GET is
				router.Method(http.MethodHead, path, handler)
			}
		}
	}
	unrouted := named(table, methods, c)
	router.NotFound(unrouted)
	router.MethodNotAllowed(unrouted)
	return layers.Handler(router)
}

// named answers what the router does not know: the paths that the content or the
// binary names, and then 404 and 405. A path that is escaped needlessly is another
// path, as it is everywhere.
func named(table []Route, methods middleware.Methods, c Config) http.HandlerFunc {
	unrouted := middleware.Unrouted(methods, c.Problems)
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		for _, route := range table {
			if route.Has == nil || r.URL.RawPath != "" || methods[path] != nil || !route.Has(path) {
				continue
			}
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				// The log and the metrics name the row of the table, as of all others.
				chi.RouteContext(r.Context()).RoutePatterns = []string{route.Path}
				layered(route, c).ServeHTTP(w, r)
				return
			}
			ofPath := middleware.Methods{}
			ofPath.Add(path, route.Method)
			middleware.Unrouted(ofPath, c.Problems)(w, r)
			return
		}
		unrouted(w, r)
	}
}

// openPaths are the paths that pages of any origin may read.
func openPaths(table []Route) map[string]bool {
	open := map[string]bool{}
	for _, route := range table {
		for _, path := range route.Paths() {
			if route.AnyOrigin {
				open[path] = true
			}
		}
	}
	return open
}

// layered puts the layers of a route around its handler, the first outermost.
func layered(route Route, c Config) http.Handler {
	var layers []func(http.Handler) http.Handler
	if route.Signed {
		layers = append(layers, middleware.SignOnRequest(c.Signer))
	}
	if route.Retired != (middleware.Retirement{}) {
		layers = append(layers, middleware.Retired(route.Retired))
	}
	if route.BodyCap > 0 {
		layers = append(layers, middleware.BodyCap(route.BodyCap, route.Limit, c.Problems))
	}
	if c.Agents != nil {
		layers = append(layers, middleware.AgentSignature(c.Agents))
	}
	if route.Limit != nil {
		layers = append(layers, middleware.Limit(route.Limit, c.Problems))
	}
	handler := c.Problems.Handle(route.Handler)
	for _, layer := range slices.Backward(layers) {
		handler = layer(handler)
	}
	return handler
}
