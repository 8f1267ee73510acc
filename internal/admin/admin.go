// Package admin is the second listener, for the owner, the operator and the machines that watch the service: the
// owner's pages, health, readiness, metrics and profiles; and the Unix socket in the data folder, which only the user
// of the service can open, at which a command asks for something, such as a reload.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/pprof" // its init adds to http.DefaultServeMux, which nothing here serves
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/backup"
	"frontdesk/internal/config"
	"frontdesk/internal/disk"
	"frontdesk/internal/live"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/questions"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/internal/server"
	"frontdesk/internal/span"
)

// addrSetting names the listener's address in errors.
const addrSetting = "ADMIN_ADDR"

// ownHost is the host to listen on if FRONTDESK_ADMIN_ADDR is not set. Only this machine reaches it.
const ownHost = "127.0.0.1"

// portFile is the file of the data folder with the port used if FRONTDESK_ADMIN_ADDR is not set, so that an owner's
// bookmark and session survive a restart.
const portFile = "owner-port"

// profileTimeout is how long an answer may take: profiles are recorded for as long as was asked.
const profileTimeout = 2 * time.Minute

// Config is what the listener shows and does of the service.
type Config struct {
	Settings config.Service
	Version  string // of the program
	Log      zerolog.Logger
	// LogDropped counts the lines that the log has dropped; nil for a log that drops none.
	LogDropped func() int64
	Events     *span.Events

	Working   context.Context // ends when the service does
	Live      *live.Content
	Server    *server.Server
	Store     *records.Store
	Outbox    *outbox.Outbox
	Questions *questions.Recorder
	Quota     *quota.Store
	Model     *model.Chooser    // nil without
	Calls     quota.CallCounter // of the model
	Backups   *backup.Daily     // nil without
	Metrics   *metrics.Metrics
}

// Admin is the listener. Only the owner's pages authenticate. Without an address in the settings it serves only these
// pages.
type Admin struct {
	Config
	log      zerolog.Logger // for Serve, which may run before Begin
	listener net.Listener
	server   *http.Server
	handler  atomic.Pointer[http.Handler] // nil while the service starts
	owner    *owner.Pages
	pages    http.Handler // owner behind its layers
	checked  atomic.Pointer[checked]
}

// Listen listens on addr. There it answers at once; until Begin it only reports that the process is alive and not
// ready. If addr is empty, it listens on ownHost, at the saved port or at a free one, and answers once Serve is called.
func Listen(ctx context.Context, addr, dataFolder string, log zerolog.Logger) (*Admin, error) {
	a := &Admin{log: log}
	var err error
	if addr == "" {
		a.listener, err = listenOnSavedPort(ctx, filepath.Join(dataFolder, portFile), log)
	} else {
		a.listener, err = server.Listen(ctx, addrSetting, addr)
	}
	if err != nil {
		return nil, err
	}
	a.server = server.NewHTTP(a, log)
	a.server.WriteTimeout = profileTimeout
	if addr != "" {
		go a.Serve()
	}
	return a, nil
}

// listenOnSavedPort listens on the port saved in a file, or on a free port if that one is taken. It saves the port only
// if there is no file, so that a second instance does not replace it.
func listenOnSavedPort(ctx context.Context, file string, log zerolog.Logger) (net.Listener, error) {
	port, err := os.ReadFile(file)
	if err == nil {
		listener, err := server.Listen(ctx, addrSetting, net.JoinHostPort(ownHost, strings.TrimSpace(string(port))))
		if err == nil {
			return listener, nil
		}
	}
	listener, listenErr := server.Listen(ctx, addrSetting, net.JoinHostPort(ownHost, "0"))
	if listenErr != nil || !errors.Is(err, fs.ErrNotExist) {
		return listener, listenErr
	}
	_, chosen, _ := net.SplitHostPort(listener.Addr().String())
	if err := disk.WriteFile(file, []byte(chosen+"\n")); err != nil {
		log.Warn().Err(err).Msg("the port of the owner's pages cannot be saved; it will change at the next start")
	}
	return listener, nil
}

// Begin makes the listener answer everything.
func (a *Admin) Begin(config Config) {
	a.Config = config
	published := a.makePages()
	mux := http.NewServeMux()
	mux.Handle(owner.Path, a.pages)
	if a.Settings.AdminAddr != "" {
		mux.HandleFunc("GET "+pathHealth, writeHealth)
		mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { writeReady(w, a.ready()) })
		mux.HandleFunc("GET /readyz/store", func(w http.ResponseWriter, r *http.Request) {
			writeReady(w, a.storable(r.Context()))
		})
		mux.Handle("GET /metrics", a.Metrics.Handler())
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.Handle("GET /debug/pprof/cmdline", http.NotFoundHandler()) // it may hold a secret
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	a.handler.Store(new(onlyPrivateHosts(a.Settings.AdminAddr, published, mux)))
}

// ServeHTTP implements http.Handler.
func (a *Admin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// Addr returns the address of the listener.
func (a *Admin) Addr() net.Addr { return a.listener.Addr() }

// PagesURL returns the address of the owner's pages on the listener. setting is the admin address of the settings.
func (a *Admin) PagesURL(setting string) string {
	host := ownHost
	if setting != "" {
		host, _, _ = net.SplitHostPort(setting) // Listen has read it
	}
	_, port, _ := net.SplitHostPort(a.listener.Addr().String())
	return config.OwnerURLAt(net.JoinHostPort(host, port))
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

// Serve answers until Close.
func (a *Admin) Serve() {
	if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
		a.log.Error().Err(err).Msg("the admin listener ended")
	}
}

// Shutdown stops accepting and finishes what is in flight until ctx ends. Close cuts what is left.
func (a *Admin) Shutdown(ctx context.Context) { _ = a.server.Shutdown(ctx) }

// Close ends the listener, also one that never served.
func (a *Admin) Close() {
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
		host := server.HostOf(r.Host)
		_, isPublished := published[host]
		if host != server.HostOf(own) && !isPrivateHost(host) && !(isPublished && strings.HasPrefix(r.URL.Path, owner.Path)) {
			writeLine(w, http.StatusForbidden, "refused: use the address of the admin listener instead of a public name")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isPrivateHost reports whether a host is an address, a name of one label such as
// localhost, or under a private suffix.
func isPrivateHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") {
		return true
	}
	return slices.ContainsFunc(privateSuffixes, func(suffix string) bool { return strings.HasSuffix(host, suffix) })
}

// ready returns why requests should not be sent to this instance, or nil. It can answer as soon as it listens, even
// without its database, until it stops.
func (a *Admin) ready() error {
	err, state, reason := a.Server.Ready(), live.Ready, error(nil)
	if a.Settings.Ready == "meaning" {
		state, reason = a.Live.State()
	}
	switch {
	case err != nil || state == live.Ready:
		return err
	case state == live.WordsOnly:
		return fmt.Errorf("the golden questions fail: %w", reason)
	}
	read, texts := a.Live.Progress()
	return fmt.Errorf("the encoder has read %d of %d texts", read, texts)
}

// storable returns why the database cannot store a row, or nil. The store bounds how long that takes.
func (a *Admin) storable(ctx context.Context) error {
	if err := a.Store.CheckWrite(ctx); err != nil {
		return fmt.Errorf("the database cannot store a row: %w", err)
	}
	return nil
}
