// Package harness starts the service for the tests of the whole program: in this process,
// possibly with a part replaced, or as a separate process. Only tests use it.
package harness

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/images"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
	"frontdesk/routes"
)

// Base is the published base address of tests, so that goldens do not depend on the port.
const Base = "http://localhost:8080"

// Desk is a running service with a real mail server.
type Desk struct {
	*app.Service
	URL      string
	Mail     *mailtest.Server
	Log      *Log
	Settings config.Settings
	Hangup   chan os.Signal // replaces SIGHUP, which would reach every service of the tests
}

// Log is a log that can be read while it is written.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Reset empties the log.
func (l *Log) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}

// Wait waits until the log contains a text at least n times.
func (l *Log) Wait(t testing.TB, text string, n int) {
	t.Helper()
	Eventually(t, func() bool { return strings.Count(l.String(), text) >= n }, func() string {
		return fmt.Sprintf("%q is not in the log %d times:\n%s", text, n, l)
	})
}

// Eventually waits until a condition holds. It fails the test after two minutes, with
// the message of the last argument.
func Eventually(t testing.TB, holds func() bool, otherwise ...func() string) {
	t.Helper()
	for tick, deadline := time.NewTicker(10*time.Millisecond), time.Now().Add(2*time.Minute); ; <-tick.C {
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			why := "the condition does not become true"
			for _, say := range otherwise {
				why = say()
			}
			t.Fatal(why)
		}
	}
}

// manyMegabytes matches a file system in memory of at least a gigabyte in /proc/mounts, as
// containers list it. It does not match where the mount has no size= option: its size is
// then half of the memory, which may be too little.
var manyMegabytes = regexp.MustCompile(`(?m)^\S+ /dev/shm tmpfs \S*size=\d{7,}k`)

// DataFolder returns a new data folder, in memory where manyMegabytes matches. A service in a
// process of its own waits 2 s for its database (records.CallTimeout). A sync to a busy disk may
// take longer, and then the service rightly answers 500.
func DataFolder(t testing.TB) string {
	t.Helper()
	mounts, _ := os.ReadFile("/proc/mounts") // only Linux has it
	if !manyMegabytes.Match(mounts) {
		return t.TempDir()
	}
	dir := expect.Value(os.MkdirTemp("/dev/shm", "frontdesk-test-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // as far as a process that still ends allows it
	return dir
}

// settingsWith returns the settings of a service under test: a free port, a new folder and a mail server.
func settingsWith(t testing.TB, smtpURL string) config.Settings {
	s := config.Settings{
		Addr:       "127.0.0.1:0",
		DataFolder: config.DataFolder{Data: DataFolder(t)},
		MailServer: config.MailServer{SMTPURL: smtpURL, MailTo: "owner@desk.example", MailFrom: "desk@desk.example"},
	}
	s.BaseURL.Text = Base
	s.DailySends.Text = "100000000" // some tests send more than any day brings
	return s
}

// answerers caches answerers, because they never change and hundreds of tests start a service with the sample.
var answerers sync.Map

// Answerer is faq.New, which trains a selector, for each content once.
func Answerer(approved content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *faq.Answerer {
	key := fmt.Sprint(resolveURL("/"), approved, unanswered)
	made, _ := answerers.LoadOrStore(key, sync.OnceValue(func() *faq.Answerer {
		return faq.New(approved, unanswered, resolveURL)
	}))
	return made.(func() *faq.Answerer)()
}

// Changes are what a test changes of a service between the steps of app.New. The zero value
// changes only how the selector is trained: once for each content.
type Changes struct {
	BuildAnswerer faq.Builder // nil for Answerer
	Patience      time.Duration
	Sender        func(mailer.Sender) mailer.Sender
	Own           routes.Own
	Limiters      func() routes.Limiters
	Wiring        func(*app.Wiring)
	Handler       func([]routes.Route, app.Wiring) http.Handler
}

// variants holds the variants of photos that the services of this process made, by file
// name. A service under test finds them in its cache, because to make them takes longer than
// most tests do.
var variants sync.Map

// placeVariants writes the variants that exist into the cache of a service.
func placeVariants(t testing.TB, cache string) {
	t.Helper()
	expect.OK(t, os.MkdirAll(cache, 0o700))
	for name, data := range variants.Range {
		expect.OK(t, os.WriteFile(filepath.Join(cache, name.(string)), data.([]byte), 0o600))
	}
}

// keepVariants keeps the variants in the cache of a service for the next one.
func keepVariants(t testing.TB, cache string) {
	t.Helper()
	for _, file := range expect.Value(os.ReadDir(cache))(t) {
		if _, found := variants.Load(file.Name()); !found {
			variants.Store(file.Name(), expect.Value(os.ReadFile(filepath.Join(cache, file.Name())))(t))
		}
	}
}

// start takes the steps of app.New.
func (c Changes) start(t testing.TB, settings config.Settings, options app.Options) *app.Service {
	t.Helper()
	if c.Sender != nil {
		mail := expect.Value(settings.WithDefaults().Account(settings.Dir()))(t)
		settings.Sender = c.Sender(mail)
	}
	options.Own = c.Own
	s := expect.Value(app.Listen(t.Context(), settings, options))(t)
	t.Cleanup(s.Close)
	s.Content.BuildAnswerer, s.Content.Embedder = Answerer, nil
	if c.BuildAnswerer != nil {
		s.Content.BuildAnswerer = c.BuildAnswerer
	}
	if c.Patience > 0 {
		s.Content.Patience = c.Patience
	}
	cache := filepath.Join(settings.Dir(), images.Folder)
	placeVariants(t, cache)
	expect.OK(t, s.Open(t.Context()))
	keepVariants(t, cache)
	if c.Limiters != nil {
		s.Limiters = c.Limiters()
	}
	w := s.Build()
	if c.Wiring != nil {
		c.Wiring(&w)
	}
	expect.OK(t, s.Start(t.Context(), w, func(table []routes.Route) http.Handler {
		if c.Handler != nil {
			return c.Handler(table, w)
		}
		return routes.New(table, w.Layers)
	}))
	return s
}

// Late makes a service whose selector is not ready before it is let go on.
func Late(t testing.TB) (late Changes, goOn func()) {
	hold := make(chan struct{})
	goOn = sync.OnceFunc(func() { close(hold) })
	t.Cleanup(goOn)
	return Changes{Patience: 1,
		BuildAnswerer: func(
			approved content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string,
		) *faq.Answerer {
			<-hold
			return Answerer(approved, unanswered, resolveURL)
		}}, goOn
}

// Start runs a service until the test ends. change may alter its settings.
func Start(t testing.TB, change func(*config.Settings), changes ...Changes) *Desk {
	t.Helper()
	mail := mailtest.Listen(t, mailtest.Options{})
	settings := settingsWith(t, mail.URL())
	if change != nil {
		change(&settings)
	}
	d := &Desk{Mail: mail, Log: &Log{}, Settings: settings, Hangup: make(chan os.Signal, 1)}
	var parts Changes
	for _, given := range changes {
		parts = given
	}
	d.Service = parts.start(t, settings, app.Options{Log: zerolog.New(d.Log), Hangups: d.Hangup})
	d.URL = "http://" + d.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	return d
}

var clients atomic.Uint32

// LocalAddr returns a new address in 127.16.0.0/12, so that tests do not share limits.
func LocalAddr() *net.TCPAddr {
	n := clients.Add(1)
	return &net.TCPAddr{IP: net.IPv4(127, byte(16+n>>16&15), byte(n>>8), byte(n))}
}

// NewClient returns an HTTP client with a new address.
func NewClient(t testing.TB) *http.Client {
	dialer := &net.Dialer{LocalAddr: LocalAddr(), Timeout: 10 * time.Second}
	transport := &http.Transport{DialContext: dialer.DialContext, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Answer is a response read to its end.
type Answer struct {
	*http.Response
	Text []byte // the body
}

// Send sends a request; header lines are "Name: value", repeated ones kept.
func (d *Desk) Send(t testing.TB, client *http.Client, method, path, body string, header ...string) Answer {
	t.Helper()
	r := expect.Value(http.NewRequestWithContext(t.Context(), method, d.URL+path, strings.NewReader(body)))(t)
	addLines(r.Header, header)
	if host := r.Header.Get("Host"); host != "" { // net/http takes it from Request.Host
		r.Host = host
	}
	return d.Do(t, client, r)
}

// addLines adds lines "Name: value" to a header.
func addLines(header http.Header, lines []string) {
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		header[name] = append(header[name], value)
	}
}

// Do sends a request and reads the answer to its end.
func (d *Desk) Do(t testing.TB, client *http.Client, r *http.Request) Answer {
	t.Helper()
	response := expect.Value(client.Do(r))(t)
	defer response.Body.Close()
	body := expect.Value(io.ReadAll(response.Body))(t)
	return Answer{response, body}
}

// JSONType is the header line of a JSON body.
const JSONType = "Content-Type: application/json"

// ContactBody is a valid pilot request with further members, such as `,"dry_run":true`.
func ContactBody(members string) string {
	return `{"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@example.com","message":"Hello there"` +
		members + `}`
}

// Question returns the body that asks q.
func Question(q string) string { return fmt.Sprintf(`{"q":%q}`, q) }

// WantStatus fails the test if an answer has another status.
func WantStatus(t testing.TB, got Answer, status int) {
	t.Helper()
	if got.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", got.StatusCode, status, got.Text)
	}
}

// RPC is a JSON-RPC request with the id 1.
func RPC(method, params string) string {
	if params == "" {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
}

// ToolCall is the JSON-RPC request that calls a tool.
func ToolCall(tool, arguments string) string {
	return RPC("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// CallTool calls a tool of the MCP server at a path.
func (d *Desk) CallTool(t testing.TB, client *http.Client, path, tool, arguments string, header ...string) Answer {
	t.Helper()
	return d.Send(t, client, http.MethodPost, path, ToolCall(tool, arguments), header...)
}
