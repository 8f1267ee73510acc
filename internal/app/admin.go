package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof" // its init adds to http.DefaultServeMux, which nothing here serves
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/metrics"
	"frontdesk/internal/owner"
)

// errNoPages reports that there are no pages to sign in to.
var errNoPages = errors.New("the service has no pages for its owner: set FRONTDESK_ADMIN_ADDR, for instance to 127.0.0.1:9090")

// admin is the second listener, for the owner, the operator and the machines that watch
// the service. Only the owner's pages ask who is there.
//
// It is off, and does nothing, without a listener.
type admin struct {
	listener net.Listener
	server   *http.Server
	ready    readiness
	storage  storage
	owner    *owner.Pages
	pages    http.Handler // owner behind its layers; set before serve
	// published are the hosts, beside the admin address, under which browsers may reach
	// the owner's pages. Set before serve.
	published map[string]bool
}

// profileTimeout is how long an answer of the admin listener may take: profiles are
// recorded for as long as was asked.
const profileTimeout = 2 * time.Minute

// openAdmin listens on the admin address; without one it returns an admin that is off.
func openAdmin(ctx context.Context, addr string, counted *metrics.Metrics, write func(context.Context) error, log zerolog.Logger) (*admin, error) {
	if addr == "" {
		return &admin{}, nil
	}
	listener, err := listen(ctx, "ADMIN_ADDR", addr)
	if err != nil {
		return nil, err
	}
	a := &admin{listener: listener, storage: storage{write: write}}
	a.server = newServer(a.onlyPrivateHosts(addr, a.handler(counted)), log)
	a.server.WriteTimeout = profileTimeout
	return a, nil
}

func (a *admin) isOn() bool { return a.listener != nil }

// address is the address of the setting with the port that the listener got.
func (a *admin) address(setting string) string {
	host, _, _ := net.SplitHostPort(setting) // listen has read it
	_, port, _ := net.SplitHostPort(a.listener.Addr().String())
	return net.JoinHostPort(host, port)
}

// handler has its own few routes. The cmdline profile is left out because a command
// line may hold a secret.
func (a *admin) handler(counted *metrics.Metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeLine(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		writeReady(w, a.ready.check())
	})
	mux.HandleFunc("GET /readyz/store", func(w http.ResponseWriter, r *http.Request) {
		writeReady(w, a.storage.check(r.Context()))
	})
	mux.Handle("GET /metrics", counted.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.Handle("GET /debug/pprof/cmdline", http.NotFoundHandler())
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc(owner.Path, func(w http.ResponseWriter, r *http.Request) { a.pages.ServeHTTP(w, r) })
	return mux
}

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
	if !a.isOn() {
		return
	}
	if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
		log.Error().Err(err).Msg("the admin listener ended")
	}
}

// close ends the listener, also one that never served.
func (a *admin) close() {
	if a.isOn() {
		_ = a.server.Close()
		_ = a.listener.Close() // the server does not know it before Serve
	}
}
