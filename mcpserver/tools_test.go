package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
	"frontdesk/mcpserver"
)

// Each gets its own answer while one cancels: mcp-go keeps running calls by id.
func TestClientsWithTheSameIDs(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan string), make(chan struct{})
	f := newFront(t, func(w *app.Wiring) {
		w.Core.Answers = asking(func(ctx context.Context, q string) contract.Answer {
			asked <- q
			select {
			case <-answer:
				return contract.Answer{OK: true, Answer: "to " + q}
			case <-ctx.Done():
				return contract.Answer{OK: true, Answer: "cancelled"}
			}
		})
	})
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)

	answers := map[string]string{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, client := range []string{"alice", "bob"} {
		group.Go(func() {
			body := send(t, server, toolCall("ask_faq", fmt.Sprintf(`{"q":%q}`, client)), 200)
			mu.Lock()
			answers[client] = body
			mu.Unlock()
		})
	}
	<-asked
	<-asked // both calls with the id 1 run
	for _, id := range []string{`1`, `"1"`, `1.0`, `0`, `2`} {
		send(t, server, fmt.Sprintf(`{"jsonrpc":"2\u002e0","method":"notifications/cancelled","params":{"requestId":%s}}`, id), 202)
	}
	send(t, server, rpc("ping", `{}`), 200) // the same id once more
	close(answer)
	group.Wait()
	for client, body := range answers {
		if !strings.Contains(body, "to "+client) || !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":1,`) {
			t.Errorf("%s gets %s", client, body)
		}
	}
}

func send(t *testing.T, server *httptest.Server, body string, status int) string {
	t.Helper()
	response, err := server.Client().Post(server.URL+contract.PathMCP, contract.TypeJSON, strings.NewReader(body))
	if expect.Error(t, body, err, nil); err != nil {
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		t.Errorf("%s: %d, %v; want %d: %s", body, response.StatusCode, err, status, text)
	}
	return string(text)
}

func TestPanicKeepsItsText(t *testing.T) {
	t.Parallel()
	const secret = "the password is hunter2"
	f := newFront(t, func(w *app.Wiring) {
		w.Core.Answers = asking(func(context.Context, string) contract.Answer { panic(secret) })
	})
	w := f.website.post(t, toolCall("ask_faq", `{"q":"x"}`))
	expect.Lacks(t, "the answer", w.Body.String(), secret)
	expect.Same(t, "status and code", []any{200, -32603}, []any{w.Code, replyOf(t, w).Error.Code})
	expect.Holds(t, "its limit", w.Header().Get(contract.HeaderRateLimit), "r=")
	expect.Holds(t, "the log", f.log.String(), secret, `"level":"error"`, "tool.go")
	expect.Same(t, "afterwards", 200, f.website.post(t, rpc("ping", `{}`)).Code)
}

// The key of a call is an argument or a header; one that is given twice must be the same.
func TestKeys(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	call := func(more string, keys ...string) reply {
		t.Helper()
		var header []string
		for _, key := range keys {
			header = append(header, "Idempotency-Key: "+key)
		}
		body := `{"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"` + more + `}`
		return replyOf(t, f.website.post(t, toolCall("request_pilot", body), header...))
	}
	first := call(`,"idempotency_key":"k"`)
	expect.Same(t, "the first", nil, first.Error)
	expect.Same(t, "argument and header", string(first.Result), string(call(`,"idempotency_key":"k"`, `"k"`).Result))
	expect.Same(t, "null and header", string(first.Result), string(call(`,"idempotency_key":null`, "k").Result))
	for field, refused := range map[string]reply{
		"idempotency_key": call(`,"idempotency_key":"k"`, "l"), // they differ
		"Idempotency-Key": call(``, "k", "k"),
	} {
		if e := refused.Error; e == nil || e.Code != -32602 || e.Data.Field != field || !strings.HasPrefix(e.Message, field+" ") {
			t.Errorf("%+v, want -32602 naming %s", e, field)
		}
	}
	trial := func() string {
		body := toolCall("start_trial", `{"business":"AE","email":"ada@example.com"}`)
		return string(replyOf(t, f.workspace.post(t, body, "Idempotency-Key: k")).Result)
	}
	one, again := trial(), trial()
	expect.Same(t, "a trial with a key, again", one, again)
	expect.Holds(t, "the trial", one, "wsp_")
}

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
