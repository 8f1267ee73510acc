package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

const base = "https://desk.example"

type asking func(ctx context.Context, q string) contract.Answer

func (a asking) Ask(ctx context.Context, q string) contract.Answer { return a(ctx, q) }

type server struct {
	*harness.Front
	path string
}

type front struct {
	*harness.Front
	website, workspace server
	wiring             app.Wiring
	log                *harness.Log
}

func newFront(t testing.TB, change func(*app.Wiring)) *front {
	t.Helper()
	f := &front{log: &harness.Log{}}
	addresses := func(s *config.Settings) { s.BaseURL.Text, s.AppURL.Text = base, "https://app.example" }
	own := routes.Own{Layers: []middleware.Layer{wrapped}}
	f.Front = harness.NewFront(t, f.log, addresses, harness.Changes{Own: own, Wiring: func(w *app.Wiring) {
		if change != nil {
			change(w)
		}
		f.wiring = *w
	}})
	f.website = server{f.Front, contract.PathMCP}
	f.workspace = server{f.Front, contract.PathWorkspaceMCP}
	return f
}

// wrapped is a layer of an own main that wraps the writer.
func wrapped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(wrapper{w}, r) })
}

type wrapper struct{ http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

var clients atomic.Uint32

func newClient() string {
	n := clients.Add(1)
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 1).String()
}

func (s server) post(t testing.TB, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return s.Send(t, newClient(), "POST", s.path, body, header...)
}

var rpc, toolCall = harness.RPC, harness.ToolCall

type reply struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *contract.RPCError
}

func replyOf(t testing.TB, w *httptest.ResponseRecorder) reply {
	t.Helper()
	return expect.JSON[reply](t, w.Body.Bytes())
}

func checkGolden(t *testing.T, name string, got json.RawMessage) {
	t.Helper()
	var indented bytes.Buffer
	expect.OK(t, json.Indent(&indented, got, "", "  "))
	indented.WriteString("\n")
	golden.Check(t, filepath.Join("testdata", name), indented.Bytes())
}
