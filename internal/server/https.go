package server

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"frontdesk/internal/certificates"
	"frontdesk/middleware"
)

// https is what a service with domains has beside the public listener. Without domains it has no certificates.
type https struct {
	*certificates.Certificates
	plain  net.Listener // of HTTP; nil without domains
	server *http.Server // redirects from HTTP, and answers the certificate authority
}

// plainShare is the part of all connections that those of HTTP may be: 1/10.
const plainShare = 10

// http2 bounds what one connection holds: its requests, the header of each, and 64 KiB of all bodies. One request may
// take them all, because a client may send as much before it has read a smaller bound (RFC 9113, 6.9.3).
var http2 = &http.HTTP2Config{MaxConcurrentStreams: 32, MaxReadFrameSize: 16 << 10,
	MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10}

// HTTPAddr returns the address of the listener of HTTP beside that of HTTPS, or nil.
func (s *Server) HTTPAddr() net.Addr {
	if s.https.plain == nil {
		return nil
	}
	return s.https.plain.Addr()
}

// redirectToHTTPS leads to the same address under https and the port of the base address, whose name is the first
// domain. Names that are not the service's lead to the base address. A request target that is not a path (RFC 9112,
// section 3.2.1) is 400: behind the name of the service, "x:.evil.example" would make another name. Both have the
// request id and the log line of every answer.
func redirectToHTTPS(base string, domains []string, log zerolog.Logger) http.Handler {
	port := strings.TrimPrefix(base, "https://"+domains[0])
	return middleware.RequestLog(log, nil)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := base
		if host := HostOf(r.Host); slices.Contains(domains, host) {
			to = "https://" + host + port
		}
		if !strings.HasPrefix(r.RequestURI, "/") {
			http.Error(w, "the request target must be a path", http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, to+r.URL.RequestURI(), http.StatusPermanentRedirect)
	}))
}

// HostOf returns the host of an address in lower case, without port and brackets.
func HostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
