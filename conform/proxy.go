package conform

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk/contract"
)

// maxProxiedHeader is what every proxy in front of the service must forward, in bytes. A
// proxy that refuses smaller headers breaks the contract, so its refusal counts as a failure.
const maxProxiedHeader = 28 << 10

// FromProxy reports whether a reverse proxy in front of the service gave the answer
// by itself, so that it says nothing about the service. All of this must be true:
//
//   - the request is one that a proxy may refuse (see mayStopAtProxy),
//   - the answer has no X-Request-Id, which every answer of the service has,
//   - it names another server (Server or Via) or is HTML,
//   - the status is a refusal. For foreign hosts any status is allowed: Caddy answers a host
//     that it does not serve with an empty 200.
func (a *Answer) FromProxy() bool {
	if !a.Probe.run.facts.numbered || a.HeaderValue(contract.HeaderRequestID) != "" ||
		!a.Request.mayStopAtProxy(a.Probe.run.target) {
		return false
	}
	namesServer := a.HeaderValue("Server") != "" || a.HeaderValue("Via") != "" // the service names none
	if a.Request.hasForeignHost(a.Probe.run.target) {
		return namesServer
	}
	isRefusal := a.Status >= http.StatusBadRequest && a.Status < http.StatusInternalServerError ||
		a.Status == http.StatusNotImplemented || a.Status == http.StatusHTTPVersionNotSupported
	return isRefusal && (namesServer || a.MediaType() == contract.TypeHTML)
}

// mayStopAtProxy reports whether a proxy may refuse the request instead of forwarding
// it: TRACE, CONNECT and unknown methods (RFC 9110 9.1 and 9.3.8), a path that needs
// normalizing, a repeated or foreign Host, and headers that are too large.
func (r Request) mayStopAtProxy(target *url.URL) bool {
	forwarded := []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"}
	normalized := []string{"%2e", "%2f", "/../", "//"}
	return len(strings.Join(r.Header, "\r\n")) > maxProxiedHeader || !slices.Contains(forwarded, r.Method) ||
		r.hasForeignHost(target) ||
		slices.ContainsFunc(normalized, func(part string) bool { return strings.Contains(strings.ToLower(r.Path), part) })
}

// hasForeignHost reports whether the request names another host than the target.
func (r Request) hasForeignHost(target *url.URL) bool {
	return slices.ContainsFunc(r.values("Host"), func(host string) bool { return strings.TrimSpace(host) != target.Host })
}
