package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof" // its init adds to http.DefaultServeMux, which nothing here serves
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/owner"
)

// ownPort is where the admin listener is without a setting: a free port that only this
// machine reaches.
const ownPort = "127.0.0.1:0"

// admin is the second listener, for the owner, the operator and the machines that watch
// the service. Only the owner's pages ask who is there. Without an address of the settings
// it has only these.
type admin struct {
	listener net.Listener
	server   *http.Server
	handler  atomic.Pointer[http.Handler] // nil while the service starts
	owner    *owner.Pages
	pages    http.Handler // owner behind its layers
}

// profileTimeout is how long an answer of the admin listener may take: profiles are
// recorded for as long as was asked.
const profileTimeout = 2 * time.Minute

// openAdmin listens on the admin address, or without one on ownPort. On the address that was set it answers at once,
// until begin only that the process is alive, and not ready; ownPort is served by Run.
func openAdmin(ctx context.Context, addr string, log zerolog.Logger) (*admin, error) {
	listener, err := listen(ctx, "ADMIN_ADDR", cmp.Or(addr, ownPort))
	if err != nil {
		return nil, err
	}
	a := &admin{listener: listener}
	a.server = newServer(a, log)
	a.server.WriteTimeout = profileTimeout
	if addr != "" {
		go a.serve(log)
	}
	return a, nil
}

// beginAdmin makes the admin listener answer everything from now on. published are the hosts,
// beside the admin address, under which browsers may reach the owner's pages.
func (s *Service) beginAdmin(published map[string]bool) {
	mux := http.NewServeMux()
	mux.Handle(owner.Path, s.admin.pages)
	if s.config.AdminAddr != "" {
		mux.HandleFunc("GET "+pathHealth, writeHealth)
		mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { writeReady(w, s.ready()) })
		mux.HandleFunc("GET /readyz/store", func(w http.ResponseWriter, r *http.Request) {
			writeReady(w, s.storable(r.Context()))
		})
		mux.Handle("GET /metrics", s.metrics.Handler())
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.Handle("GET /debug/pprof/cmdline", http.NotFoundHandler()) // it may hold a secret
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	s.admin.handler.Store(new(onlyPrivateHosts(s.config.AdminAddr, published, mux)))
}

// ServeHTTP implements http.Handler.
func (a *admin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if begun := a.handler.Load(); begun != nil {
		(*begun).ServeHTTP(w, r)
		return
	}
	if r.URL.Path == pathHealth {
		writeHealth(w, r)
		return
	}
	writeReady(w, errors.New("the service is starting"))
}

// address is the address of the setting, or ownPort, with the port that the listener got.
func (a *admin) address(setting string) string {
	host, _, _ := net.SplitHostPort(cmp.Or(setting, ownPort)) // listen has read it
	_, port, _ := net.SplitHostPort(a.listener.Addr().String())
	return net.JoinHostPort(host, port)
}

// pathHealth is the path under which the process reports that it is alive.
const pathHealth = "/healthz"

func writeHealth(w http.ResponseWriter, _ *http.Request) { writeLine(w, http.StatusOK, "ok") }

// writeReady answers 200, or 503 with the reason.
func writeReady(w http.ResponseWriter, err error) {
	if err != nil {
		writeLine(w, http.StatusServiceUnavailable, "not ready: "+err.Error())
		return
	}
	writeLine(w, http.StatusOK, "ready")
}

// writeLine answers with one line of text.
func writeLine(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	fmt.Fprintln(w, line)
}

// serve answers until close.
func (a *admin) serve(log zerolog.Logger) {
	if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
		log.Error().Err(err).Msg("the admin listener ended")
	}
}

// close ends the listener, also one that never served.
func (a *admin) close() {
	_ = a.server.Close()
	_ = a.listener.Close() // the server does not know it before Serve
}

// privateSuffixes end names that no one can register in the public DNS (RFC 6761,
// RFC 6762, ICANN's reservation of .internal) or that Kubernetes gives to services.
var privateSuffixes = []string{".localhost", ".local", ".internal", ".svc"}

// onlyPrivateHosts refuses requests whose Host is a public name other than the
// listener's own. A web page can make a browser on the operator's machine send requests
// to the admin listener under the page's own name, by pointing that name at a private
// address (DNS rebinding); the page could then read the answers. The owner's pages may
// also be published by a proxy, under hosts that are known.
func onlyPrivateHosts(own string, published map[string]bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		_, isPublished := published[host]
		if host != hostOf(own) && !isPrivateHost(host) && !(isPublished && strings.HasPrefix(r.URL.Path, owner.Path)) {
			writeLine(w, http.StatusForbidden, "refused: use the address of the admin listener instead of a public name")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf is the host of an address in lower case, without port and brackets.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isPrivateHost reports whether a host is an address, a name of one label such as
// localhost, or under a private suffix.
func isPrivateHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") {
		return true
	}
	return slices.ContainsFunc(privateSuffixes, func(suffix string) bool { return strings.HasSuffix(host, suffix) })
}

// ready returns why requests should not be sent to this instance, or nil. It can answer as
// soon as it listens, also without its database, until it stops.
func (s *Service) ready() error {
	if s.draining.Load() {
		return errors.New("the service is stopping")
	}
	err, w := s.https.Ready(), s.waiting()
	switch {
	case err != nil || s.config.Ready != "meaning" || w == nil:
		return err
	case w.Err != nil:
		return fmt.Errorf("the golden questions do not hold: %w", w.Err)
	}
	return fmt.Errorf("the encoder has read %d of %d texts", w.Read, w.Texts)
}

// storable returns why the database cannot store a row, or nil. The store bounds how long that takes.
func (s *Service) storable(ctx context.Context) error {
	if err := s.store.CheckWrite(ctx); err != nil {
		return fmt.Errorf("the database cannot store a row: %w", err)
	}
	return nil
}
