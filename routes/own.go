package routes

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"

	"frontdesk/contract"
	"frontdesk/middleware"
)

// Own is what a custom main adds to the HTTP interface (package desk).
type Own struct {
	Layers []middleware.Layer // of every public request, the outermost first
	Routes []Route
}

// OwnRoute returns a row of the table for desk.Handle.
func OwnRoute(method, path, purpose string, handler middleware.HandlerFunc) Route {
	return Route{Method: method, Path: path, Purpose: purpose, Handler: handler, BodyCap: contract.CapContact}
}

// ownMethods are the methods of own routes. HEAD comes with GET, and OPTIONS is answered for every path.
var ownMethods = []string{get, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

var ownPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// check returns what is wrong with a custom route by itself.
func (r Route) check() error {
	switch {
	case !slices.Contains(ownMethods, r.Method):
		return fmt.Errorf("the method must be one of %v", ownMethods)
	case !ownPath.MatchString(r.Path) || path.Clean(r.Path) != r.Path:
		return errors.New("the path must be names after slashes, of letters, digits, '.', '_', '~' and '-'")
	case r.Handler == nil:
		return errors.New("the handler is nil")
	}
	return nil
}

// With returns the table with the routes of a custom main. The error names each route that is
// invalid or already taken.
func (o Own) With(table []Route) ([]Route, error) {
	taken := map[string]bool{}
	for _, route := range table {
		for _, path := range route.Paths() {
			taken[route.Method+" "+path] = true
		}
	}
	var wrong []error
	for _, route := range o.Routes {
		name := route.Method + " " + route.Path
		err := route.check()
		if err == nil && taken[name] {
			err = errors.New("another route has this method and path")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("desk.Handle: %s: %w", name, err))
		}
		taken[name] = true
	}
	return slices.Concat(table, o.Routes), errors.Join(wrong...)
}
