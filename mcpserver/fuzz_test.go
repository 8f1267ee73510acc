package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/mcpserver"
)

// Every body is answered for both kinds of client, with its own id.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		``, `[]`, `{}`, `null`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"x"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, rpc("initialize", `{"protocolVersion":"2025-03-26"}`),
		rpc("tools/list", `{"cursor":"x"}`), rpc("tools/call", `{"name":"list_services"}`),
		toolCall("get_service", `{"id":"online-booking"}`), toolCall("ask_faq", `{"q":"Who is it for?"}`),
		toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","dry_run":true}`),
		rpc("resources/read", `{"uri":"x"}`), rpc("prompts/get", `{"name":"x","arguments":{"a":"b"}}`),
		rpc("tools/call", `{"name":"ask_faq","task":{"ttl":1},"arguments":{"q":"x"}}`),
		`{"jsonrpc":"2.0","id":"\u00e9","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	} {
		f.Add([]byte(seed))
	}
	front := newFront(f, nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		w := front.website.post(t, string(body))
		switch w.Code {
		case 202:
			if w.Body.Len() > 0 {
				t.Fatalf("202 with a body: %s", w.Body)
			}
			return
		case 200, 400, 413, 429:
		default:
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
		got := expect.JSON[struct {
			JSONRPC           string
			ID, Result, Error json.RawMessage
			Status            int
		}](t, w.Body.Bytes())
		if w.Code == 413 {
			return
		}
		if got.JSONRPC != "2.0" || (got.Result == nil) == (got.Error == nil) || (got.Status == 0) != (w.Code == 200) {
			t.Fatalf("neither answer nor error: %s", w.Body)
		}
		if id, ok := mcpserver.IDOf(body); ok && !bytes.Equal(got.ID, id) {
			t.Fatalf("the id %s is answered as %s", id, got.ID)
		}
		if bytes.Contains(w.Body.Bytes(), []byte(`"code":-32603`)) {
			t.Fatalf("an internal error: %s\n%s", w.Body, front.log)
		}
		front.log.Reset()
	})
}
