package middleware

import "net/http"

// Headers of every answer outside the API, which may be a page. The pages have no
// inline code, no frame, no cookie and nothing from another host, and the policy
// holds them to that.
var (
	contentSecurityPolicy = []string{"default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"}
	referrerPolicy    = []string{"strict-origin-when-cross-origin"}
	permissionsPolicy = []string{"camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"}
	openerPolicy      = []string{"same-origin"}
	// One year (RFC 6797). Subdomains are the owner's own affair.
	transportSecurity = []string{"max-age=31536000"}
)

// PageHeaders puts the headers that protect a page and its reader on every answer
// outside the API. They go on documents too: a browser shows those as well.
func PageHeaders(https bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !forPrograms(r.URL.Path) {
				header := w.Header()
				header["Content-Security-Policy"] = contentSecurityPolicy
				header["Referrer-Policy"] = referrerPolicy
				header["Permissions-Policy"] = permissionsPolicy
				header["Cross-Origin-Opener-Policy"] = openerPolicy
				if https {
					header["Strict-Transport-Security"] = transportSecurity
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}
