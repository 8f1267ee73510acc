// Package mailtest is a real SMTP server on a port of its own, for tests. It keeps
// what it accepted and breaks on demand at any stage of the conversation.
package mailtest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"frontdesk/internal/programs"
)

// Security is the encryption that the server offers.
type Security int

// The kinds of encryption.
const (
	Plain    Security = iota // none, and none offered
	StartTLS                 // offered, not asked for
	Implicit                 // TLS from the first byte
)

// Options configure the server of a test.
type Options struct {
	Security       Security
	User, Password string   // with a user, mails without a login are refused
	Mechanisms     []string // offered for the login; PLAIN and LOGIN when empty
	Refused        []string // recipients
	Listener       net.Listener
	SMTPUTF8       bool // offered (RFC 6531)
	Expired        bool // the certificate was valid until a moment ago
}

// patience is how long Wait and similar methods wait on a busy machine before they fail
// the test.
const patience = 30 * time.Second

// Server is a running SMTP server.
type Server struct {
	t         testing.TB
	options   Options
	listener  net.Listener
	roots     *x509.CertPool
	rootsFile string

	mu       sync.Mutex
	fault    Fault
	plan     func() Fault
	messages []Mail
	commands []string
	open     int
	broken   int
	changed  chan struct{} // closed and replaced at every change
}

// Listen starts a server on the loopback address, or on the listener of the
// options, and stops it when the test ends.
func Listen(t testing.TB, options Options) *Server {
	t.Helper()
	s := &Server{t: t, options: options, changed: make(chan struct{}), listener: options.Listener}
	if s.listener == nil {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s.listener = listener
	}
	served := make(chan struct{})
	server := s.server()
	go func() {
		defer close(served)
		_ = server.Serve(s.wrap(server.TLSConfig))
	}()
	t.Cleanup(func() {
		_ = server.Close()
		_ = s.listener.Close() // Serve may not have known it yet
		<-served
	})
	return s
}

func (s *Server) server() *smtp.Server {
	server := smtp.NewServer(smtp.BackendFunc(s.session))
	server.Domain = "mail.test"
	server.AllowInsecureAuth = true
	server.EnableSMTPUTF8 = s.options.SMTPUTF8
	server.ErrorLog = log.New(io.Discard, "", 0)
	if s.options.Security != Plain {
		dir, validity := s.t.TempDir(), time.Hour
		if s.options.Expired {
			validity = -time.Second
		}
		key := filepath.Join(dir, "key.pem")
		s.rootsFile = filepath.Join(dir, "roots.pem")
		s.roots = programs.SelfSigned(s.t, s.rootsFile, key, validity, "127.0.0.1", "localhost")
		certificate, err := tls.LoadX509KeyPair(s.rootsFile, key)
		if err != nil {
			s.t.Fatal(err)
		}
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	}
	return server
}

// URL is the server's address as FRONTDESK_SMTP_URL takes it, with the login.
func (s *Server) URL() string {
	u := url.URL{Scheme: "smtp", Host: s.listener.Addr().String()}
	if s.options.Security == Implicit {
		u.Scheme = "smtps"
	}
	if s.options.User != "" {
		u.User = url.UserPassword(s.options.User, s.options.Password)
	}
	return u.String()
}

// Roots holds the server's own certificate; nil for a plain server.
func (s *Server) Roots() *x509.CertPool { return s.roots }

// RootsFile holds the server's certificate, for a program that takes its roots from SSL_CERT_FILE.
func (s *Server) RootsFile() string { return s.rootsFile }

// SetPlan makes each later connection call plan for its one fault, instead of the fault of
// SetFault; nil ends that. plan is called by one goroutine at a time.
func (s *Server) SetPlan(plan func() Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = plan
}

// SetFault makes every later conversation break at the stage; the zero Fault ends that.
func (s *Server) SetFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Messages are the mails that the server has stored, in order. A mail whose final
// dot is answered by Hang or Cut is among them: the client cannot know that.
func (s *Server) Messages() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.messages...)
}

// Commands are the command lines of unencrypted conversations, in order.
func (s *Server) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.commands...)
}

// Wait returns the mails once there are n of them.
func (s *Server) Wait(n int) []Mail {
	s.t.Helper()
	s.until("enough mails", func() bool { return len(s.messages) >= n })
	return s.Messages()
}

// WaitFaults returns once n conversations have met their fault.
func (s *Server) WaitFaults(n int) {
	s.t.Helper()
	s.until("enough faults", func() bool { return s.broken >= n })
}

// Faults is how many conversations have met their fault.
func (s *Server) Faults() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// WaitIdle returns once no client is connected.
func (s *Server) WaitIdle() {
	s.t.Helper()
	s.until("an idle server", func() bool { return s.open == 0 })
}

func (s *Server) until(what string, holds func() bool) {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		s.mu.Lock()
		done, changed := holds(), s.changed
		s.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			s.t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// update changes what the mutex guards and wakes the goroutines that wait for it.
func (s *Server) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}
