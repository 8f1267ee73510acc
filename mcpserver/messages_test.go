package mcpserver_test

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
)

func TestVersionHeaders(t *testing.T) {
	t.Parallel()
	strict, tolerant := newFront(t, nil), newFront(t, func(w *app.Wiring) { w.MCP.Website.Tolerant = true })
	for _, tt := range []struct {
		name, body string
		versions   []string
		status     int
		result     string // part of it
	}{
		{"one of two is wrong", rpc("ping", `{}`), []string{"2025-06-18", "1999-01-01"}, 400, ``},
		{"empty and proposed", rpc("initialize", `{"protocolVersion":""}`), []string{""}, 400, ``},
		{"another than proposed", rpc("initialize", `{"protocolVersion":"2025-03-26"}`), []string{"2025-06-18"}, 200, `"protocolVersion":"2025-03-26"`},
		{"tolerant: initialize", rpc("initialize", `{"protocolVersion":"2026-07-28"}`), []string{"2025-11-25"}, 200, `"protocolVersion":"2025-06-18"`},
		{"tolerant: not a date", rpc("ping", `{}`), []string{"2026-07-28-rc"}, 400, ``},
		{"tolerant: two in one", rpc("ping", `{}`), []string{"2025-11-25, 2025-06-18"}, 400, ``},
		{"tolerant: empty", rpc("ping", `{}`), []string{""}, 400, ``},
	} {
		f := strict
		if strings.HasPrefix(tt.name, "tolerant:") {
			f = tolerant
		}
		var header []string
		for _, version := range tt.versions {
			header = append(header, contract.HeaderMCPVersion+": "+version)
		}
		w := f.website.post(t, tt.body, header...)
		got := replyOf(t, w)
		if w.Code != tt.status || (got.Error == nil) != (tt.status == 200) || got.Error != nil && got.Error.Code != contract.RPCServerError || !strings.Contains(string(got.Result), tt.result) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, w.Code, w.Body, tt.status, tt.result)
		}
	}
}

// TestLenientClients: an empty cursor is that of the first page, and arguments that arrive as text are refused in words
// that say so.
func TestLenientClients(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for body, want := range map[string]string{
		rpc("tools/list", `{"cursor":""}`):                                          "",
		rpc("tools/list", `{"cursor":"x"}`):                                         "cursor is not known: the list has one page.",
		rpc("tools/call", `{"name":"ask_faq","arguments":"{\"q\":\"Why?\"}"}`):      "arguments must be an object, not its JSON as a string.",
		rpc("tools/call", `{"name":"list_services","arguments":["list_services"]}`): "arguments must be an object.",
	} {
		got, message := replyOf(t, f.website.post(t, body)), ""
		if got.Error != nil {
			message = got.Error.Message
		}
		if message != want {
			t.Errorf("%s: %q, want %q", body, message, want)
		}
	}
}
