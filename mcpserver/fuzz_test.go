package mcpserver

import (
	"bytes"
	"encoding/json"
	"testing"

	"frontdesk/contract"
)

// FuzzServe checks that every body gets an answer that both kinds of client can read,
// with its own id, and that none stops the server.
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
		w := post(t, front.website, string(body))
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
		var got struct {
			JSONRPC string
			ID      json.RawMessage
			Result  json.RawMessage
			Error   json.RawMessage
			Status  int
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		if w.Code == 413 {
			return
		}
		if got.JSONRPC != "2.0" || (got.Result == nil) == (got.Error == nil) || (got.Status == 0) != (w.Code == 200) {
			t.Fatalf("neither answer nor error: %s", w.Body)
		}
		if m, err := parse(body); err == nil && !bytes.Equal(got.ID, m.id) {
			t.Fatalf("the id %s is answered as %s", m.id, got.ID)
		}
		if bytes.Contains(w.Body.Bytes(), []byte(`"code":-32603`)) {
			t.Fatalf("an internal error: %s\n%s", w.Body, front.log)
		}
		front.log.Reset()
	})
}

// FuzzParse checks that encoding/json reads every accepted body in the same way.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"a","method":"p\u0069ng","params":{"a":1}}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"x","params":null}`, `{"jsonrpc":"2.0","method":"\"\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := parse(body)
		if err != nil {
			failure := contract.AsError(err)
			if failure.RPC == nil || failure.Code != contract.InvalidRequest {
				t.Fatalf("%q is refused with %v", body, err)
			}
			return
		}
		if m.method == "" {
			return
		}
		var got struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%q is accepted, encoding/json says %v", body, err)
		}
		if got.Method != string(m.name()) || !bytes.Equal(got.ID, m.id) || string(got.Params) != m.params {
			t.Fatalf("%q reads as %+v, encoding/json reads %+v", body, m, got)
		}
	})
}
