package middleware

import (
	"net/http"
	"strings"

	"frontdesk/contract"
)

var apiVersion = []string{contract.APIVersion}

// APIVersion puts the version header on every answer under /v1 (section 9.1). It
// goes by the path and not by the route, so that a 404 carries it too.
func APIVersion(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if under(r.URL.Path, contract.PrefixV1) {
			w.Header()[contract.HeaderAPIVersion] = apiVersion
		}
		next.ServeHTTP(w, r)
	})
}

// under reports whether path is prefix or stands below it.
func under(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
