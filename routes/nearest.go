package routes

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
)

// prefix matches the start of an API path, of any version: /v1, /api or /api/v1.
var prefix = regexp.MustCompile(`^(?:/(?:v\d+|api))+(/|$)`)

// withoutPrefix returns a path as it would be outside the API.
func withoutPrefix(path string) string { return prefix.ReplaceAllString(path, "/") }

// endpoint is a path that the hint of a 404 may name.
type endpoint struct {
	method, path, rest, purpose string
	ofAPI                       bool
}

// nearest returns the function that makes the hint of a 404. It names the endpoint that differs
// only in case, slashes or prefix. For a path of the API it also tries the endpoint above, one with a similar spelling,
// and one whose purpose has the last word of the path. If none fits, it lists the endpoints of the API, or returns ""
// for a path outside it.
func nearest(table []Route, methods func(path string) []string) func(path string) string {
	var all []endpoint
	for _, route := range table {
		for _, path := range route.Paths() {
			if !strings.ContainsAny(path, "{*") {
				ofAPI := prefix.MatchString(path) || path == contract.PathMCP
				all = append(all, endpoint{route.Method, path, withoutPrefix(path), route.Purpose, ofAPI})
			}
		}
	}
	return func(sought string) string {
		isLive := func(e endpoint) bool { return methods(e.path) != nil }
		wanted := path.Clean(strings.ToLower(sought))
		isAPI := prefix.MatchString(wanted)
		if len(wanted) <= maxSought {
			if found := match(all, wanted, isAPI, isLive); found != nil {
				return "The nearest endpoint is " + found.method + " " + found.path + "."
			}
		}
		if !isAPI {
			return ""
		}
		var list []string
		for _, e := range all {
			if line := e.method + " " + e.path; e.ofAPI && isLive(e) && !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
		return "The endpoints are " + strings.Join(list, ", ") + "."
	}
}

// maxSought is the longest path, in bytes, to which endpoints are compared.
const maxSought = 100

// match returns the live endpoint that fits best, or nil.
func match(all []endpoint, wanted string, isAPI bool, isLive func(endpoint) bool) *endpoint {
	rest := withoutPrefix(wanted)
	fits := []func(endpoint) bool{ // the best first
		func(e endpoint) bool { return e.path == wanted },
		func(e endpoint) bool { return e.rest == rest && rest != "/" && (e.ofAPI || isAPI && e.method == get) },
	}
	if isAPI {
		var rests []string
		for _, e := range all {
			if e.ofAPI {
				rests = append(rests, e.rest)
			}
		}
		has := func(rest string) func(endpoint) bool {
			return func(e endpoint) bool { return e.ofAPI && e.rest == rest }
		}
		for above := path.Dir(rest); above != "/"; above = path.Dir(above) {
			fits = append(fits, has(above))
		}
		word := strings.TrimSuffix(path.Base(rest), "s")
		fits = append(fits, has(content.Closest(rest, rests)),
			func(e endpoint) bool { return e.ofAPI && slices.Contains(strings.Fields(e.purpose), word) })
	}
	for _, fit := range fits {
		for _, e := range all {
			if fit(e) && isLive(e) {
				return &e
			}
		}
	}
	return nil
}
