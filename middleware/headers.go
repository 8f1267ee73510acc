package middleware

import (
	"net/http"
	"strings"

	"frontdesk/contract"
)

// pageHeaders protect a page and its reader. The pages have no inline code, no
// frame, no cookie and nothing from another host; the policy enforces that.
var pageHeaders = [...]struct{ name, value string }{
	{"Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
	{"Referrer-Policy", "strict-origin-when-cross-origin"},
	{"Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
}

// transportSecurity lasts one year (RFC 6797). It leaves out subdomains, which are
// the owner's decision.
const transportSecurity = "max-age=31536000"

// StandardHeaders sets the version on every answer under /v1 (section 9.1), and the headers
// of a page on every answer outside the API, documents included: browsers show those too.
// It looks at the path and not at the route, so that a 404 has the headers too.
func StandardHeaders(https bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch path := r.URL.Path; {
			case under(path, contract.PrefixV1):
				w.Header().Set(contract.HeaderAPIVersion, contract.APIVersion)
			case !isAPI(path):
				for _, header := range pageHeaders {
					w.Header().Set(header.name, header.value)
				}
				if https {
					w.Header().Set("Strict-Transport-Security", transportSecurity)
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// under reports whether path is prefix or lies below it.
func under(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
