package middleware

import (
	"net/http"
	"net/url"
	"strings"

	"frontdesk/contract"
)

// Origins are the browser origins that the service serves, each as a browser
// writes it: scheme://host, with the port unless it is the scheme's own.
type Origins struct {
	Base  string   // the origin of the base address
	Extra []string // further ones, which need CORS to read an answer
	// OpenPaths answer a page of any origin: discovery documents, static and the
	// same for everyone, whose standards demand it (decisions, Origin).
	OpenPaths map[string]bool
	// Workspace is the origin of the workspace application, which is served at the
	// workspace's MCP server alone. It may be empty.
	Workspace string
}

var (
	anyOrigin     = []string{"*"}
	varyOrigin    = []string{"Origin"}
	exposeHeaders = []string{strings.Join([]string{contract.HeaderAPIVersion, contract.HeaderRateLimit,
		contract.HeaderRateLimitPolicy, contract.HeaderRetryAfter, contract.HeaderRequestID, "ETag",
		contract.HeaderContentDigest, contract.HeaderSignature, contract.HeaderSignatureInput}, ", ")}
)

// Origin refuses browser requests from origins that the service does not serve
// (section 5.7). It compares the whole header with the configured origins, never
// with Host: a page that rebinds its own name to our address sends a Host that
// agrees with its Origin. A request without the header passes.
//
// A further origin of ours that passes gets the CORS headers with which its
// browser lets it read the answer; Unrouted answers its preflight. Where there
// are further origins every answer says that it varies by Origin, or a cache
// could hand one origin's answer to another; but for the open paths, whose answers
// are the same for all.
func Origin(origins Origins, problems *Problems) func(http.Handler) http.Handler {
	everywhere := originSet(origins.Extra)
	atWorkspace := everywhere
	if origins.Workspace != "" {
		atWorkspace = originSet(append([]string{origins.Workspace}, origins.Extra...))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if origins.OpenPaths[r.URL.Path] {
				openToAll(w.Header())
				next.ServeHTTP(w, r)
				return
			}
			extra := everywhere
			if r.URL.Path == contract.PathWorkspaceMCP {
				extra = atWorkspace
			}
			if len(extra) > 0 {
				w.Header()["Vary"] = varyOrigin
			}
			given, present := r.Header["Origin"]
			if present && (len(given) != 1 || given[0] != origins.Base) {
				allowed, ok := allow(extra, given)
				if !ok {
					exchangeOf(w).advice = sameHostAdvice(given, r.Host)
					problems.Write(w, r, refusedOrigin(origins.Base))
					return
				}
				header := w.Header()
				header[headerAllowOrigin] = allowed
				header["Access-Control-Expose-Headers"] = exposeHeaders
			}
			next.ServeHTTP(w, r)
		})
	}
}

// originSet holds the header that lets each origin read an answer.
func originSet(origins []string) map[string][]string {
	set := make(map[string][]string, len(origins))
	for _, origin := range origins {
		set[origin] = []string{origin}
	}
	return set
}

const headerAllowOrigin = "Access-Control-Allow-Origin"

// Headers that the MCP server card demands of every answer (SEP-2127, discovery);
// the other open documents get the same.
var (
	openMethods = []string{http.MethodGet}
	openHeaders = []string{"Content-Type, If-None-Match"}
	openExpose  = []string{"ETag"}
)

func openToAll(header http.Header) {
	header[headerAllowOrigin] = anyOrigin
	header[headerAllowMethods] = openMethods
	header[headerAllowHeaders] = openHeaders
	header["Access-Control-Expose-Headers"] = openExpose
}

func allow(extra map[string][]string, given []string) ([]string, bool) {
	if len(given) != 1 {
		return nil, false
	}
	allowed, ok := extra[given[0]]
	return allowed, ok
}

func refusedOrigin(base string) error {
	return &contract.Error{
		Code:   contract.Forbidden,
		Detail: "This service does not serve the browser origin of the request.",
		Hint:   "Call from a page of " + base + ", or from a program that sends no Origin header.",
	}
}

// sameHostAdvice tells the operator which setting serves the service's own pages,
// when they seem to be opened under another address than the configured one.
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
