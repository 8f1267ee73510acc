package app

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"frontdesk/internal/certificates"
	"frontdesk/internal/owner"
	"frontdesk/middleware"
)

// https is what a service with domains has beside the public listener. Without domains it
// has no certificates.
type https struct {
	*certificates.Certificates
	plain  net.Listener // of HTTP; nil without domains
	server *http.Server // redirects from HTTP, and answers the certificate authority
}

// plainShare is the part of all connections that those of HTTP may be: 1/10.
const plainShare = 10

// http2 bounds what one connection holds: its requests, and of each the header and a body of contract.MaxBody.
var http2 = &http.HTTP2Config{MaxConcurrentStreams: 32, MaxReadFrameSize: 16 << 10,
	MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 32 << 10}

// openHTTPS listens for HTTP and reads the certificates, if there are domains.
func (s *Service) openHTTPS(ctx context.Context) error {
	if len(s.config.Domains) == 0 {
		s.https.Certificates = &certificates.Certificates{}
		return nil
	}
	plain, err := listen(ctx, "HTTP_ADDR", s.config.HTTPAddr)
	if err != nil {
		return err
	}
	s.onClose(func() { _ = plain.Close() })
	domains := s.config.Domains
	if s.config.OwnerDomain != "" {
		domains = append(domains[:len(domains):len(domains)], s.config.OwnerDomain)
	}
	kept, err := certificates.Open(certificates.Config{
		Domains: domains, Folder: filepath.Join(s.config.Dir(), certificates.Folder),
		CA: s.config.ACMECA, Email: s.config.ACMEEmail, CertFile: s.config.TLSCert, KeyFile: s.config.TLSKey,
		HTTPS: s.listener.Addr(), HTTP: plain.Addr(), Events: s.events, Log: s.log,
		Ending: func(ctx context.Context, state certificates.State) {
			s.notifier.CertificateEnding(ctx, state.Domain, state.End)
		},
	})
	if err != nil {
		return err
	}
	s.https = https{kept, plain, newServer(kept.Challenges(redirectToHTTPS(s.config.BaseURL, domains)), s.log)}
	s.onClose(func() { _ = s.https.server.Close() })
	return nil
}

// redirectToHTTPS leads to the same address under https. Names that are not the service's lead to its base
// address. A request target that is not a path (RFC 9112, section 3.2.1) is 400: behind the name of the
// service, "x:.evil.example" would make another name.
func redirectToHTTPS(base string, domains []string) http.Handler {
	own := hostOf(strings.TrimPrefix(base, "https://"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := base
		if host := hostOf(r.Host); host != own && slices.Contains(domains, host) {
			to = "https://" + host
		}
		if !strings.HasPrefix(r.RequestURI, "/") {
			http.Error(w, "the request target must be a path", http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, to+r.URL.RequestURI(), http.StatusPermanentRedirect)
	})
}

// serve answers on the public listener until the stop, with a domain by HTTPS, and reports its end. Certificates that
// are there are used from the first handshake on; others come later.
func (s *Service) serve(ctx context.Context, background *sync.WaitGroup) (*connections, <-chan error) {
	total := cmp.Or(s.config.MaxConnections.Value, maxConnections())
	perClient := cmp.Or(s.config.MaxConnectionsPerClient.Value, maxConnectionsPerClient(total))
	s.log.Debug().Int("all", total).Int("per_client", perClient).Msg("connections are limited")
	limit := func(listener net.Listener, total int) *connections {
		return limitConnections(listener, total, perClient, s.config.TrustedProxies)
	}
	failed := make(chan error, 2)
	if s.https.plain == nil {
		clients := limit(s.listener, total)
		go func() { failed <- s.server.Serve(clients) }()
		return clients, failed
	}
	s.https.Manage(ctx)
	background.Go(func() { s.https.Run(ctx) })
	plain := max(1, total/plainShare)
	clients, redirected := limit(s.listener, max(1, total-plain)), limit(s.https.plain, plain)
	s.server.TLSConfig, s.server.HTTP2 = s.https.TLS(), http2
	go func() { failed <- s.server.ServeTLS(clients, "", "") }()
	go func() { failed <- s.https.server.Serve(redirected) }()
	return clients, failed
}

// Certificates is how the certificates are; none without domains.
func (s *Service) Certificates() []certificates.State { return s.https.States() }

// onlyOwnerPages answers under the owner's domain with her pages, and with nothing else.
func (s *Service) onlyOwnerPages(next http.Handler) http.Handler {
	if s.config.OwnerDomain == "" {
		return next
	}
	pages := middleware.StandardHeaders(true)(s.admin.pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case hostOf(r.Host) != s.config.OwnerDomain:
			next.ServeHTTP(w, r)
		case r.URL.Path == "/":
			http.Redirect(w, r, owner.Path, http.StatusSeeOther)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}
