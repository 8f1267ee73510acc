package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

const patience = time.Minute

type events struct {
	mu    sync.Mutex
	lines []string
	grown chan struct{}
}

func (e *events) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lines = append(e.lines, string(p))
	close(e.grown)
	e.grown = make(chan struct{})
	return len(p), nil
}

func (e *events) wait(t *testing.T, from int, text string) (line string, next int) {
	t.Helper()
	late := time.After(patience)
	for {
		e.mu.Lock()
		lines, grown := e.lines, e.grown
		e.mu.Unlock()
		for i, line := range lines[from:] {
			if strings.Contains(line, text) {
				return line, from + i + 1
			}
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("the log has no line with %q:\n%s", text, e.text())
		}
	}
}

func (e *events) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	isDebug := func(line string) bool { return strings.Contains(line, `"debug"`) }
	return strings.Join(slices.DeleteFunc(slices.Clone(e.lines), isDebug), "")
}

type desk struct {
	*Certificates
	log              *events
	folder           string
	httpPort, port   string
	plain, encrypted net.Listener
	ending           chan State
	use              func(*Certificates)
}

func ports(t *testing.T) *desk {
	t.Helper()
	d := &desk{log: &events{grown: make(chan struct{})}, folder: t.TempDir() + "/kept", ending: make(chan State, 100)}
	d.plain = expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	d.encrypted = expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	_, d.httpPort, _ = net.SplitHostPort(d.plain.Addr().String())
	_, d.port, _ = net.SplitHostPort(d.encrypted.Addr().String())
	var current atomic.Pointer[Certificates]
	d.use = current.Store
	fine := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current.Load().Challenges(fine).ServeHTTP(w, r)
	})}
	encrypted := &http.Server{Handler: fine, ErrorLog: log.New(io.Discard, "", 0), TLSConfig: &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return current.Load().TLS(), nil },
	}}
	go func() { _ = plain.Serve(d.plain) }()
	go func() { _ = encrypted.ServeTLS(d.encrypted, "", "") }()
	t.Cleanup(func() { _, _ = plain.Close(), encrypted.Close() })
	return d
}

// named is of the test's own, because certmagic counts failures by name, for the whole process.
func named(t *testing.T) string {
	return strings.ToLower(strings.ReplaceAll(t.Name(), "/", ".")) + ".example"
}

func (d *desk) config(t *testing.T, directory string) Config {
	return Config{
		Domains: []string{named(t)}, Folder: d.folder, CA: directory, HTTPS: d.encrypted.Addr(), HTTP: d.plain.Addr(),
		Log: zerolog.New(d.log), Ending: func(_ context.Context, state State) { d.ending <- state },
	}
}

func (d *desk) run(t *testing.T, config Config, roots *x509.CertPool) (stop func()) {
	t.Helper()
	d.Certificates = expect.Value(open(config, 100*time.Millisecond, roots))(t)
	d.use(d.Certificates)
	ctx, cancel := context.WithCancel(t.Context())
	d.Manage(ctx)
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	t.Cleanup(stop)
	return stop
}

func (d *desk) served(t *testing.T, name string) (*x509.Certificate, error) {
	t.Helper()
	conn, err := tls.Dial("tcp", d.encrypted.Addr().String(), &tls.Config{ServerName: name, InsecureSkipVerify: true})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0], nil
}

// The cache has no event.
func (d *desk) eventually(t *testing.T, enough func(*x509.Certificate) bool) *x509.Certificate {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if leaf, err := d.served(t, named(t)); err == nil && enough(leaf) {
			return leaf
		}
	}
	t.Fatalf("no such certificate is served; the log is\n%s", d.log.text())
	return nil
}

func anyOne(*x509.Certificate) bool { return true }
