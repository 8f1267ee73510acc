package mcpserver

import (
	"fmt"
	"testing"

	"frontdesk/contract"
)

// TestHeaders plays the headers of a message; the id comes back in a refusal.
func TestHeaders(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	const version, accept = "Mcp-Protocol-Version: ", "Accept: "
	tests := []struct {
		name   string
		header []string
		status int
	}{
		{"none", nil, 200},
		{"newer version", []string{version + "2025-06-18"}, 200},
		{"older version", []string{version + "2025-03-26"}, 200},
		{"both versions", []string{version + "2025-03-26", version + "2025-06-18"}, 200},
		{"version before", []string{version + "2024-11-05"}, 400},
		{"version after", []string{version + "2025-11-25"}, 400},
		{"version without a handshake", []string{version + "2026-07-28"}, 400},
		{"nonsense version", []string{version + "abc"}, 400},
		{"empty version", []string{version}, 400},
		{"one version is wrong", []string{version + "2025-06-18", version + "1999-01-01"}, 400},
		{"versions in one line", []string{version + "2025-06-18, 2025-03-26"}, 400},
		{"what clients send", []string{accept + "application/json, text/event-stream"}, 200},
		{"JSON alone", []string{accept + "application/json"}, 200},
		{"anything", []string{accept + "*/*"}, 200},
		{"any application", []string{accept + "application/*;q=0.1"}, 200},
		{"in another case", []string{accept + "Application/JSON"}, 200},
		{"streams alone", []string{accept + "text/event-stream"}, 406},
		{"pages", []string{accept + "text/html"}, 406},
		{"JSON excluded", []string{accept + "application/json;q=0, */*"}, 406},
		{"all excluded", []string{accept + "*/*;q=0"}, 406},
		{"another JSON", []string{accept + "application/problem+json"}, 406},
		{"a session of another server", []string{"Mcp-Session-Id: x"}, 200},
		{"any content type", []string{"Content-Type: text/plain"}, 200},
		{"coded", []string{"Content-Encoding: br"}, 400},
		{"version and Accept", []string{version + "x", accept + "text/html"}, 400},
	}
	for _, tt := range tests {
		for _, method := range []string{"ping", "initialize"} {
			t.Run(tt.name+"/"+method, func(t *testing.T) {
				t.Parallel()
				w := post(t, f.website, fmt.Sprintf(`{"jsonrpc":"2.0","id":"a","method":%q}`, method), tt.header...)
				if w.Code != tt.status {
					t.Fatalf("status %d, want %d: %s", w.Code, tt.status, w.Body)
				}
				got := replyOf(t, w)
				wantCode := map[int]int{200: 0, 400: contract.RPCInvalidRequest, 406: contract.RPCServerError}[tt.status]
				if string(got.ID) != `"a"` || (got.Error != nil) != (wantCode != 0) || got.Error != nil && got.Error.Code != wantCode {
					t.Errorf("answer = %s, want code %d", w.Body, wantCode)
				}
			})
		}
	}
	if w := post(t, f.website, `[]`, accept+"text/html"); w.Code != 406 {
		t.Errorf("a batch with a wrong Accept: %d, want 406", w.Code)
	}
}

// TestToolsThroughTheLibrary shows that a tool that is called straight from the
// registry answers as it does when mcp-go calls it.
func TestToolsThroughTheLibrary(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	whole := f.core.Website(f.catalog, f.shelf)
	whole.own, whole.prepared = nil, nil
	library := f.layered(whole)
	for _, message := range []string{
		toolCall("list_services", `{}`), toolCall("get_service", `{"id":"online-booking"}`), toolCall("get_service", `{"id":"x"}`),
		toolCall("ask_faq", `{"q":"Who is it for?"}`), toolCall("ask_faq", `{"q":1}`), toolCall("list_services", `[]`),
		toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","dry_run":true}`),
		rpc("tools/list", `{}`), rpc("initialize", `{"protocolVersion":"2025-03-26"}`), rpc("resources/list", `{}`), rpc("ping", `{}`),
		rpc("resources/read", `{"uri":"`+base+`/developers"}`), rpc("nope", `{}`),
	} {
		want, got := post(t, library, message), post(t, f.website, message)
		if got.Body.String() != want.Body.String() || got.Code != want.Code {
			t.Errorf("%s:\n%s\nthrough mcp-go:\n%s", message, got.Body, want.Body)
		}
	}
}
