package middleware

import (
	"net/http"
	"strings"

	"frontdesk/contract"
)

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
	acceptedHeaders = strings.Join([]string{"Content-Type", contract.HeaderRequestID, contract.HeaderAcceptSignature,
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
