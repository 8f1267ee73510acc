package middleware

import (
	"net/http"
	"strings"

	"frontdesk/contract"
)

// APIVersion sets the version header on every answer under /v1 (section 9.1). It
// looks at the path and not at the route, so that a 404 carries the header too.
func APIVersion(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if under(r.URL.Path, contract.PrefixV1) {
			w.Header().Set(contract.HeaderAPIVersion, contract.APIVersion)
		}
		next.ServeHTTP(w, r)
	})
}

// under reports whether path is prefix or lies below it.
func under(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
