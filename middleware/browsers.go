package middleware

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Origins are the browser origins that the service serves, each as a browser
// writes it: scheme://host, with the port unless it is the scheme's default.
type Origins struct {
	Base  string   // the origin of the base address
	Extra []string // further ones, which need CORS to read an answer
	// OpenPaths may be read by pages of any origin: discovery documents, which are
	// static, the same for everyone, and required to be open by their standards
	// (decisions, Origin).
	OpenPaths map[string]bool
	// Workspace is the origin of the workspace application, which may use only the
	// workspace's MCP server. It may be empty.
	Workspace string
}

// Origin refuses browser requests from origins that the service does not serve
// (section 5.7). It compares the whole header with the configured origins, never
// with Host: a page that rebinds its own name to our address sends a Host that
// matches its Origin. A request without the header passes.
//
// A further origin that passes gets the CORS headers with which its browser lets it
// read the answer; Unrouted answers its preflight. Wherever there are further
// origins, every answer varies by Origin, or a cache could give one origin's answer
// to another. Open paths do not, because their answers are the same for all.
func Origin(origins Origins, problems *Problems) Layer {
	atWorkspace := origins.Extra
	if origins.Workspace != "" {
		atWorkspace = append(slices.Clone(origins.Extra), origins.Workspace)
	}
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		header := w.Header()
		if origins.OpenPaths[r.URL.Path] {
			openToAll(header)
			next.ServeHTTP(w, r)
			return
		}
		extra := origins.Extra
		if r.URL.Path == contract.PathWorkspaceMCP {
			extra = atWorkspace
		}
		if len(extra) > 0 {
			header.Set("Vary", "Origin")
		}
		given := r.Header.Values("Origin")
		switch {
		case len(given) == 0, len(given) == 1 && given[0] == origins.Base:
		case len(given) == 1 && slices.Contains(extra, given[0]):
			header.Set(headerAllowOrigin, given[0])
			header.Set(headerExposeHeaders, exposedHeaders)
		default:
			exchangeOf(w).advice = sameHostAdvice(given, r.Host)
			problems.Write(w, r, contract.ForeignOrigin(payload.Shown(strings.Join(given, ", ")), origins.Base))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameHostAdvice names the setting that would serve the service's own pages, when
// they seem to be opened under another address than the configured one.
func sameHostAdvice(given []string, host string) string {
	if len(given) != 1 {
		return ""
	}
	origin, err := url.Parse(given[0])
	if err != nil || origin.Host == "" || !strings.EqualFold(origin.Host, host) {
		return ""
	}
	return "the refused Origin equals the Host: if " + strings.ToLower(origin.Host) +
		" is an address of this service, set FRONTDESK_BASE_URL to it or add the origin to FRONTDESK_ORIGINS"
}

// Headers of CORS (Fetch standard, HTTP extensions).
const (
	headerAllowOrigin   = "Access-Control-Allow-Origin"
	headerAllowMethods  = "Access-Control-Allow-Methods"
	headerAllowHeaders  = "Access-Control-Allow-Headers"
	headerExposeHeaders = "Access-Control-Expose-Headers"
	headerMaxAge        = "Access-Control-Max-Age"
)

// preflightMaxAge is how long, in seconds, a browser may remember a preflight.
const preflightMaxAge = "600"

var (
	// exposedHeaders are those that a page of a further origin may read.
	exposedHeaders = strings.Join([]string{contract.HeaderAPIVersion, contract.HeaderRateLimit,
		contract.HeaderRateLimitPolicy, contract.HeaderRetryAfter, contract.HeaderRequestID, "ETag",
		contract.HeaderContentDigest, contract.HeaderSignature, contract.HeaderSignatureInput}, ", ")
	// acceptedHeaders are those that it may send.
	acceptedHeaders = strings.Join([]string{"Content-Type", "If-None-Match", contract.HeaderRequestID,
		contract.HeaderAcceptSignature,
		contract.HeaderIdempotencyKey, "Authorization", contract.HeaderMCPVersion, contract.HeaderMCPMethod,
		contract.HeaderMCPName, contract.HeaderMCPSession}, ", ")
)

// openToAll lets pages of any origin read an answer. The headers are those that the
// MCP server card requires (SEP-2127, discovery); the other open documents get the
// same.
func openToAll(header http.Header) {
	header.Set(headerAllowOrigin, "*")
	header.Set(headerAllowMethods, http.MethodGet)
	header.Set(headerAllowHeaders, "Content-Type, If-None-Match")
	header.Set(headerExposeHeaders, "ETag")
}

// isPreflight reports whether r is a CORS preflight of an origin to which the layer
// Origin gave CORS headers.
func isPreflight(w http.ResponseWriter, r *http.Request) bool {
	return r.Method == http.MethodOptions &&
		r.Header.Get("Access-Control-Request-Method") != "" &&
		w.Header().Get(headerAllowOrigin) != ""
}

// setPreflight says what a path accepts, unless openToAll has done so.
func setPreflight(header http.Header, methods []string) {
	if header.Get(headerAllowMethods) == "" {
		header.Set(headerAllowMethods, strings.Join(methods, ", "))
		header.Set(headerAllowHeaders, acceptedHeaders)
	}
	header.Set(headerMaxAge, preflightMaxAge)
}

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
func StandardHeaders(https bool) Layer {
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
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

// under reports whether path is prefix or lies below it.
func under(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
