package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/mailer/mailtest"
)

// publishedBase is the base address that tests publish, so that goldens do not
// depend on the port.
const publishedBase = "http://localhost:8080"

// desk is a running service with a real mail server beside it.
type desk struct {
	*service
	url  string
	mail *mailtest.Server
	log  *lockedBuffer

	hangup chan os.Signal // stands for the signal, which would reach every service of the tests
}

// lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// wait returns when the log holds a text as often as n says.
func (l *lockedBuffer) wait(t testing.TB, text string, n int) {
	t.Helper()
	for tick, deadline := time.NewTicker(10*time.Millisecond), time.Now().Add(20*time.Second); ; <-tick.C {
		if strings.Count(l.String(), text) >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%q does not stand %d times in the log:\n%s", text, n, l)
		}
	}
}

// settingsFor are the settings of a service under test: a free port, a folder of
// its own and the mail server of the test.
func settingsFor(t testing.TB, mail *mailtest.Server) config.Settings {
	return config.Settings{
		Addr:       "127.0.0.1:0",
		BaseURL:    publishedBase,
		DataFolder: config.DataFolder{Data: t.TempDir()},
		MailServer: config.MailServer{SMTPURL: mail.URL()},
		MailTo:     "owner@desk.example",
		MailFrom:   "desk@desk.example",
	}
}

// bookShelf makes the book of a content once: books never change, and hundreds of
// tests start a service on the sample.
type bookShelf struct{ made sync.Map }

var sampleBooks bookShelf

func (b *bookShelf) of(approved content.FAQ, unanswered []content.GoldenQuestion, precision float64, resolveURL func(string) string) *faq.Book {
	key := fmt.Sprint(precision, resolveURL("/"), approved, unanswered)
	make, _ := b.made.LoadOrStore(key, sync.OnceValue(func() *faq.Book { return faq.New(approved, unanswered, precision, resolveURL) }))
	return make.(func() *faq.Book)()
}

// startDesk runs a service until the test ends. change may alter its settings.
func startDesk(t testing.TB, change func(*config.Settings)) *desk {
	t.Helper()
	d := &desk{mail: mailtest.Listen(t, mailtest.Options{}), log: &lockedBuffer{}, hangup: make(chan os.Signal, 1)}
	settings := settingsFor(t, d.mail)
	if change != nil {
		change(&settings)
	}
	var err error
	d.service, err = newService(t.Context(), settings, zerolog.New(d.log), sampleBooks.of)
	if err != nil {
		t.Fatal(err)
	}
	d.hangups = d.hangup
	d.url = "http://" + d.listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
		d.close()
	})
	return d
}

var clients atomic.Uint32

// localAddr is an address of a test's own in 127.16.0.0/12, so that the limits of
// one test do not count the requests of another.
func localAddr() *net.TCPAddr {
	n := clients.Add(1)
	return &net.TCPAddr{IP: net.IPv4(127, byte(16+n>>16&15), byte(n>>8), byte(n))}
}

// newClient is an HTTP client with an address of its own.
func newClient(t testing.TB) *http.Client {
	dialer := &net.Dialer{LocalAddr: localAddr(), Timeout: 10 * time.Second}
	transport := &http.Transport{DialContext: dialer.DialContext, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is a response read to its end.
type answer struct {
	*http.Response
	body []byte
}

// send sends a request; header lines are "Name: value", repeated ones kept.
func (d *desk) send(t testing.TB, client *http.Client, method, path, body string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header[name] = append(r.Header[name], value)
		if name == "Host" { // which net/http takes from elsewhere
			r.Host = value
		}
	}
	return d.do(t, client, r)
}

func (d *desk) do(t testing.TB, client *http.Client, r *http.Request) answer {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, body}
}

const jsonType = "Content-Type: application/json"

func contactBody(members string) string {
	return `{"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@example.com","message":"Hello there"` + members + `}`
}

// wantStatus fails the test when an answer has another status.
func wantStatus(t testing.TB, got answer, status int) {
	t.Helper()
	if got.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", got.StatusCode, status, got.body)
	}
}

func question(q string) string { return fmt.Sprintf(`{"q":%q}`, q) }
