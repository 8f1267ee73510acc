package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof" // its init adds to http.DefaultServeMux, which nothing here serves
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/metrics"
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
	setting  string                       // the address as it was set
	ready    readiness
	storage  storage
	owner    *owner.Pages
	pages    http.Handler // owner behind its layers; set before begin
	// published are the hosts, beside the admin address, under which browsers may reach
	// the owner's pages. Set before begin.
	published map[string]bool
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
	a := &admin{listener: listener, setting: addr}
	a.server = newServer(a, log)
	a.server.WriteTimeout = profileTimeout
	if addr != "" {
		go a.serve(log)
	}
	return a, nil
}

// begin answers everything from now on.
func (a *admin) begin(counted *metrics.Metrics, ready readiness, write func(context.Context) error) {
	a.ready, a.storage.write = ready, write
	mux := http.NewServeMux()
	mux.Handle(owner.Path, a.pages)
	if a.setting != "" {
		a.operate(mux, counted)
	}
	a.handler.Store(new(a.onlyPrivateHosts(a.setting, mux)))
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
	writeReady(w, errStarting)
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

// operate adds the operator's routes. The cmdline profile is left out because a command
// line may hold a secret.
func (a *admin) operate(mux *http.ServeMux, counted *metrics.Metrics) {
	mux.HandleFunc("GET "+pathHealth, writeHealth)
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
	if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
		log.Error().Err(err).Msg("the admin listener ended")
	}
}

// close ends the listener, also one that never served.
func (a *admin) close() {
	_ = a.server.Close()
	_ = a.listener.Close() // the server does not know it before Serve
}
