package middleware

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
)

// Methods lists the methods that each path answers, HEAD wherever GET is.
type Methods map[string][]string

// Add notes that path answers method.
func (m Methods) Add(path, method string) {
	methods := append(m[path], method)
	if method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	m[path] = slices.Compact(methods)
}

const (
	headerAllowMethods = "Access-Control-Allow-Methods"
	headerAllowHeaders = "Access-Control-Allow-Headers"
)

// Headers that a page of a further origin of ours may send.
const allowedRequestHeaders = "Content-Type, " + contract.HeaderRequestID + ", " +
	contract.HeaderAcceptSignature + ", " + contract.HeaderIdempotencyKey + ", " + contract.HeaderMCPVersion

// preflightMaxAge is how long, in seconds, a browser may remember a preflight.
const preflightMaxAge = "600"

// Unrouted answers a request that no route takes: 404 for a path that does not
// exist, 405 with Allow for a method that it does not answer, and 204 for the
// preflight of an origin that passed. The router cannot decide between the first
// two: chi answers an unknown method on any path with 405 and forgets Allow.
func Unrouted(methods Methods, problems *Problems) http.HandlerFunc {
	unknown := problems.Refusal(&contract.Error{Code: contract.NotFound, Detail: "There is no endpoint at this path."})
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := methods[routedPath(r)]
		switch {
		case allowed == nil:
			unknown.Write(w, r, 0)
		case isPreflight(w, r):
			answerPreflight(w.Header(), allowed)
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

// routedPath is the path that chi routes by: as it was sent, where it has escapes
// that matter.
func routedPath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.Path
}

// isPreflight reports whether r is a CORS preflight of an origin that the layer
// Origin has let pass with CORS headers.
func isPreflight(w http.ResponseWriter, r *http.Request) bool {
	return r.Method == http.MethodOptions &&
		r.Header.Get("Access-Control-Request-Method") != "" &&
		w.Header().Get(headerAllowOrigin) != ""
}

// answerPreflight tells what the path takes, unless the layer Origin has done so
// for a path that is open to all.
func answerPreflight(header http.Header, allowed []string) {
	if header[headerAllowMethods] == nil {
		header[headerAllowMethods] = []string{strings.Join(allowed, ", ")}
		header[headerAllowHeaders] = []string{allowedRequestHeaders}
	}
	header.Set("Access-Control-Max-Age", preflightMaxAge)
}
