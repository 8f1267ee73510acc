package middleware

import (
	"cmp"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// Unrouted answers a request that no route takes: 404 for a path that does not
// exist, 405 with Allow for a method that the path does not answer, and 204 for the
// preflight of an origin that passed. The methods of a path that does not exist are
// nil, and nearest gives the hint of its 404.
//
// The router cannot distinguish the first two: chi answers an unknown method on any
// path with 405, and a handler of our own for 405 gets no Allow.
func Unrouted(methods func(string) []string, nearest func(string) string, problems *Problems) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := methods(RoutedPath(r))
		switch {
		case allowed == nil:
			problems.Write(w, r, contract.NoEndpoint(nearest(r.URL.Path)))
		case isPreflight(w, r):
			setPreflight(w.Header(), allowed)
			w.WriteHeader(http.StatusNoContent)
		default:
			list := strings.Join(allowed, ", ")
			w.Header().Set("Allow", list)
			problems.Write(w, r, &contract.Error{
				Code:   contract.MethodNotAllowed,
				Detail: "This path does not answer the method of the request; it answers " + list + ".",
			})
		}
	}
}

// RoutedPath is the path by which chi routes: as it was sent, if it has escapes
// that matter. A path that is escaped needlessly is another path.
func RoutedPath(r *http.Request) string { return cmp.Or(r.URL.RawPath, r.URL.Path) }
