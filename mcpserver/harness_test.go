package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/golden"
	"frontdesk/internal/idempotency"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/pilot"
	"frontdesk/internal/records"
	"frontdesk/internal/workspace"
	"frontdesk/middleware"
)

const base = "https://desk.example"

// outbox accepts what would be mailed and remembers it by its key.
type outbox struct {
	pilot.Outbox
	err   error
	mu    sync.Mutex
	keyed map[records.Key]records.Inquiry
}

func (o *outbox) Deliver(ctx context.Context, inquiry records.Inquiry, key records.Key, slot records.Slot) error {
	if err := slot.Take(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if key != (records.Key{}) {
		inquiry.State = records.Sent
		o.keyed[key] = inquiry
	}
	return o.err
}

func (o *outbox) Find(_ context.Context, _ records.Inquiry, key records.Key) (records.Inquiry, bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for other := range o.keyed {
		if other.Email == key.Email && other.Hash == key.Hash && other.Fingerprint != key.Fingerprint {
			return records.Inquiry{}, false, records.ErrKeyReused
		}
	}
	inquiry, found := o.keyed[key]
	return inquiry, found, nil
}

// shelf holds documents and pages by path.
type shelf map[string]*discovery.Document

func (s shelf) Document(path string) *discovery.Document { return s[path] }

func (s shelf) Page(path string) *discovery.Page {
	document := s[path]
	if document == nil {
		return nil
	}
	return &discovery.Page{Markdown: document}
}

// asking is a function that answers questions.
type asking func(ctx context.Context, q string) contract.Answer

func (a asking) Ask(ctx context.Context, q string) contract.Answer { return a(ctx, q) }

// front is both servers on the sample content, with the layers that they rely on.
type front struct {
	core               *Core
	website, workspace http.Handler
	catalog            contract.Catalog
	shelf              shelf
	outbox             *outbox
	store              *records.Store
	log                *lockedLog
}

// lockedLog is a log that can be read while it is written.
type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lockedLog) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}

// newFront makes a front; change may alter the core first.
func newFront(t testing.TB, change func(*Core)) *front {
	t.Helper()
	sample, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
	at := discovery.Addresses{Base: base, App: "https://app.example"}
	store, err := records.Open(t.Context(), records.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	f := &front{catalog: discovery.Catalog(sample, at), outbox: &outbox{keyed: map[records.Key]records.Inquiry{}}, store: store, log: &lockedLog{}}
	ask, contact, trial := limits.New(contract.AskPolicy), limits.New(contract.ContactPolicy), limits.New(contract.TrialPolicy)
	reuse := limits.New(contract.KeyReusePolicy)
	f.core = &Core{
		Answers: faq.New(sample.FAQ, nil, faq.DefaultPrecision, at.Resolve), AskLimit: ask,
		Pilots: &pilot.Requests{
			Gate: idempotency.NewGate[contract.Accepted](contact, reuse), Outbox: f.outbox,
			Mail: pilot.Addresses{From: "desk@desk.example", To: "owner@desk.example"}, BaseURL: base,
		}, ContactLimit: contact,
		Trials: &workspace.Trials{
			Gate:  idempotency.NewGate[contract.Trial](trial, reuse),
			Store: store, Notifier: notify.New(notify.Config{}), AppURL: at.App,
		}, TrialLimit: trial,
	}
	if change != nil {
		change(f.core)
	}
	f.shelf = shelf{
		contract.PathCatalog:    discovery.CatalogDocument(f.catalog),
		contract.PathDevelopers: discovery.NewDocument("text/markdown; charset=utf-8", []byte("# Developers\n<&> \"quoted\"\n")),
		contract.PathPricing:    discovery.NewDocument("text/markdown; charset=utf-8", []byte("# Pricing\n")),
		contract.PathOpenAPI:    discovery.NewDocument("application/json", []byte(`{"openapi":"3.1.0"}`)),
		contract.PathLLMS:       discovery.NewDocument("text/plain; charset=utf-8", []byte("# Desk\n")),
	}
	f.website = f.layered(f.core.Website(f.catalog, f.shelf))
	f.workspace = f.layered(f.core.Workspace(f.catalog))
	return f
}

func (f *front) layered(s *Server) http.Handler {
	problems := &middleware.Problems{BaseURL: base}
	handler := &Handler{Current: func() *Server { return s }}
	layered := problems.Handle(handler.Serve)
	layered = middleware.BodyCap(contract.CapMCP, nil, problems)(layered)
	layered = middleware.ClientAddress(nil, zerolog.Nop())(layered)
	return middleware.RequestLog(zerolog.New(f.log), nil)(layered)
}

var clients atomic.Uint32

// newClient returns an address that no other test uses.
func newClient() string {
	n := clients.Add(1)
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 1).String()
}

func request(t testing.TB, client, body string, header ...string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, contract.PathMCP, strings.NewReader(body))
	r.RemoteAddr = client
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header[name] = append(r.Header[name], value)
	}
	return r
}

// post sends a message as a new client.
func post(t testing.TB, handler http.Handler, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request(t, newClient(), body, header...))
	return w
}

func rpc(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
}

func toolCall(tool, arguments string) string {
	return rpc("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// reply is an answer as a client reads it.
type reply struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *contract.RPCError
}

func replyOf(t testing.TB, w *httptest.ResponseRecorder) reply {
	t.Helper()
	var got reply
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("the answer is no JSON (%v): %s", err, w.Body)
	}
	return got
}

// toolResult is the result of a tool.
type toolResult struct {
	Content []struct{ Type, Text string }

	StructuredContent json.RawMessage
	IsError           bool
}

func toolResultOf(t testing.TB, w *httptest.ResponseRecorder) toolResult {
	t.Helper()
	var got toolResult
	if err := json.Unmarshal(replyOf(t, w).Result, &got); err != nil || len(got.Content) == 0 {
		t.Fatalf("no tool result (%v): %s", err, w.Body)
	}
	return got
}

// checkGolden compares JSON, indented, with a file of testdata.
func checkGolden(t *testing.T, name string, got json.RawMessage) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, got, "", "  "); err != nil {
		t.Fatal(err)
	}
	indented.WriteString("\n")
	golden.Check(t, filepath.Join("testdata", name), indented.Bytes())
}
