// Package server accepts the connections of a service, answers them by HTTP or HTTPS, and stops without losing a
// request.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/certificates"
	"frontdesk/internal/config"
	"frontdesk/internal/span"
)

// Times of the server. A contact request may take mailer.SendTimeout to answer, so writing and stopping take longer
// than that.
const (
	ReadHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	ShutdownTimeout   = 20 * time.Second
	lastRequests      = 100 * time.Millisecond // after the port was closed
)

// Listen opens a listener; setting is the name of its address without the prefix.
func Listen(ctx context.Context, setting, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", config.Prefix, setting, err)
	}
	return listener, nil
}

// NewHTTP returns a server with the times and bounds of every listener.
func NewHTTP(handler http.Handler, log zerolog.Logger) *http.Server {
	return &http.Server{
		Handler:           closingIf(isChunked, handler),
		ReadHeaderTimeout: ReadHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    contract.MaxHeaderBytes,
		ConnContext:       withConnection,
		ErrorLog:          stdlog.New(errorLog{log}, "", 0),
		// OPTIONS * is routed like every other request.
		DisableGeneralOptionsHandler: true,
	}
}

// closingIf closes the connections of requests for which due is true. The answer announces it.
func closingIf(due func(*http.Request) bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if due(r) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// isChunked reports whether a request has a chunked body, after which the connection is closed. RFC 9112 6.1 demands
// that after a request with both Content-Length and Transfer-Encoding, because a proxy may have read another end of it:
// what follows would be a request that the proxy did not see. net/http removes that Content-Length without a trace, so
// every chunked body counts. Few clients send one.
func isChunked(r *http.Request) bool { return len(r.TransferEncoding) > 0 }

// errorLog writes the lines of net/http into the log. Failed handshakes are only debug lines: strangers try names and
// versions that are not served all day.
type errorLog struct{ log zerolog.Logger }

// Write implements io.Writer.
func (l errorLog) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), "http: TLS handshake error") {
		l.log.Debug().Msg(strings.TrimSpace(string(line)))
		return len(line), nil
	}
	return l.log.Write(line)
}

// Server is the public listener and, with domains, the one that redirects to HTTPS.
type Server struct {
	settings config.Service
	log      zerolog.Logger
	listener net.Listener
	http     *http.Server
	draining atomic.Bool // Ready fails, and answers close their connections
	https    https
}

// Open returns the server of a listener. With domains it opens the listener of HTTP, and reads the certificates;
// ending is called for a certificate that expires soon.
func Open(ctx context.Context, settings config.Service, listener net.Listener, events *span.Events, log zerolog.Logger,
	ending func(context.Context, certificates.State)) (*Server, error) {
	s := &Server{settings: settings, log: log, listener: listener}
	domains := settings.CertifiedDomains()
	if len(domains) == 0 {
		s.https.Certificates = &certificates.Certificates{}
		return s, nil
	}
	plain, err := Listen(ctx, "HTTP_ADDR", settings.HTTPAddr)
	if err != nil {
		return nil, err
	}
	kept, err := certificates.Open(certificates.Config{
		Domains: domains, Folder: filepath.Join(settings.Dir(), certificates.Folder),
		CA: settings.ACMECA, Email: settings.ACMEEmail, CertFile: settings.TLSCert, KeyFile: settings.TLSKey,
		HTTPS: listener.Addr(), HTTP: plain.Addr(), Events: events, Log: log, Ending: ending,
	})
	if err != nil {
		_ = plain.Close()
		return nil, err
	}
	s.https = https{kept, plain, NewHTTP(kept.Challenges(redirectToHTTPS(settings.BaseURL, domains, log)), log)}
	return s, nil
}

// Handle sets the handler that Run serves. Clients are asked to close their connections while the service drains. Idle
// ones stay open until their next request: a proxy may be about to send one, which http.Server.SetKeepAlivesEnabled
// would lose. On HTTP/2, "Connection: close" makes net/http send GOAWAY at once and drop requests already sent, so
// those connections stay open until Shutdown.
func (s *Server) Handle(handler http.Handler) {
	isDraining := func(r *http.Request) bool { return s.draining.Load() && r.ProtoMajor < 2 }
	s.http = NewHTTP(watchWork(closingIf(isDraining, handler)), s.log)
}

// Handler returns the handler of every request.
func (s *Server) Handler() http.Handler { return s.http.Handler }

// Addr returns the address of the public listener.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Ready returns why requests should not be sent to this server, or nil.
func (s *Server) Ready() error {
	if s.draining.Load() {
		return errors.New("the service is stopping")
	}
	return s.https.Ready()
}

// Certificates returns the state of each domain's certificate, none without domains.
func (s *Server) Certificates() []certificates.State { return s.https.States() }

// Reload reads the certificates of files again.
func (s *Server) Reload() error { return s.https.Reload() }

// Run answers requests until ctx ends, then lets those in flight finish, and afterwards calls last with a context for
// the rest of ShutdownTimeout. Certificates that are kept are used from the first handshake on.
func (s *Server) Run(ctx context.Context, last func(context.Context)) error {
	var background sync.WaitGroup
	defer background.Wait()
	clients, failed := s.serve(ctx, &background)
	notify(s.log, daemon.SdNotifyReady)
	background.Go(func() { s.watchdog(ctx) })
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	notify(s.log, daemon.SdNotifyStopping)
	s.drain(clients)
	return s.shutDown(context.WithoutCancel(ctx), last) // ctx has ended; the requests get their own time
}

// serve answers on the listeners and reports their end.
func (s *Server) serve(ctx context.Context, background *sync.WaitGroup) (net.Listener, <-chan error) {
	total := cmp.Or(s.settings.MaxConnections.Value, maxConnections())
	perClient := cmp.Or(s.settings.MaxConnectionsPerClient.Value, max(total/clientShare, minConnectionsPerClient))
	s.log.Debug().Int("all", total).Int("per_client", perClient).Msg("connections are limited")
	limit := func(listener net.Listener, total int) *connections {
		return limitConnections(listener, total, perClient, s.settings.TrustedProxies)
	}
	failed := make(chan error, 2)
	if s.https.plain == nil {
		clients := limit(s.listener, total)
		go func() { failed <- s.http.Serve(clients) }()
		return clients, failed
	}
	s.https.Manage(ctx)
	background.Go(func() { s.https.Run(ctx) })
	plain := max(1, total/plainShare)
	clients, redirected := limit(s.listener, max(1, total-plain)), limit(s.https.plain, plain)
	s.http.TLSConfig, s.http.HTTP2 = s.https.TLS(), http2
	go func() { failed <- s.http.ServeTLS(clients, "", "") }()
	go func() { failed <- s.https.server.Serve(redirected) }()
	return clients, failed
}

// drain makes Ready fail. It keeps accepting requests until load balancers have noticed, and serves the connections
// accepted last: http.Server.Shutdown drops a request that it reads later.
func (s *Server) drain(clients net.Listener) {
	s.draining.Store(true)
	if s.settings.DrainDelay.Value > 0 {
		s.log.Info().Stringer("delay", s.settings.DrainDelay.Value).
			Msg("draining: not ready, still accepting requests")
		time.Sleep(s.settings.DrainDelay.Value)
		_ = clients.Close() // nothing can be done about an error
		time.Sleep(lastRequests)
	}
}

// shutDown stops accepting and finishes what is in flight. Every request is answered in time, so connections that
// remain belong to clients that do not read their answer.
func (s *Server) shutDown(ctx context.Context, last func(context.Context)) error {
	s.log.Info().Msg("stopping: finishing what is in flight")
	grace, cancel := context.WithTimeout(ctx, ShutdownTimeout)
	defer cancel()
	err := s.http.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn().Stringer("after", ShutdownTimeout).Msg("closing connections whose clients do not read")
		err = s.http.Close()
	}
	last(grace)
	if err != nil && !errors.Is(err, net.ErrClosed) { // drain has closed the listener already
		return fmt.Errorf("stopping: %w", err)
	}
	s.log.Info().Msg("stopped")
	return nil
}

// Close closes the listeners, including those that never served.
func (s *Server) Close() {
	_ = s.listener.Close()
	if s.https.plain != nil {
		_ = s.https.server.Close()
		_ = s.https.plain.Close()
	}
}
