package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
)

// TestClientsWithTheSameIDs runs two clients with the same ids over HTTP while one of
// them cancels: each must get its own answer. mcp-go keeps running calls by id, so a
// cancellation that reached it would end the other client's call.
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
		send(t, server, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id), 202)
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
	if err != nil {
		t.Error(err)
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		t.Errorf("%s: %d, %v; want %d: %s", body, response.StatusCode, err, status, text)
	}
	return string(text)
}

// The cause of a panic or failure of a tool is
// logged and not shown to the caller.
func TestFailuresKeepTheirText(t *testing.T) {
	t.Parallel()
	const secret = "the password is hunter2"
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, func(w *app.Wiring) {
			w.Core.Answers = asking(func(context.Context, string) contract.Answer { panic(secret) })
		})
		w := f.website.post(t, toolCall("ask_faq", `{"q":"x"}`))
		keepsText(t, f, w.Body.String(), secret)
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || w.Header().Get(contract.HeaderRateLimit) == "" {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
		if !strings.Contains(f.log.String(), "tool.go") {
			t.Error("the log does not show where the tool panicked")
		}
		if w := f.website.post(t, rpc("ping", `{}`)); w.Code != 200 {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
	t.Run("database", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, nil)
		expect.OK(t, f.Store().Close())
		w := f.workspace.post(t, toolCall("start_trial", `{"business":"AE","email":"ada@example.com"}`))
		keepsText(t, f, w.Body.String(), "closed")
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || w.Header().Get(contract.HeaderRateLimit) != `"trial";r=2` {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
	})
}

func keepsText(t *testing.T, f *front, body, secret string) {
	t.Helper()
	if strings.Contains(body, secret) {
		t.Errorf("the caller learns the cause: %s", body)
	}
	if !strings.Contains(f.log.String(), secret) || !strings.Contains(f.log.String(), `"level":"error"`) {
		t.Errorf("the log lacks the cause: %s", f.log)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	const header = "Idempotency-Key: "
	for _, face := range []struct {
		tool, fields string
		server       server
	}{
		{"request_pilot", `"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"`, f.website},
		{"start_trial", `"business":"AE","email":"ada@example.com"`, f.workspace},
	} {
		t.Run(face.tool, func(t *testing.T) {
			t.Parallel()
			call := func(more string, lines ...string) reply {
				t.Helper()
				return replyOf(t, face.server.post(t, toolCall(face.tool, `{`+face.fields+more+`}`), lines...))
			}
			first := call(`,"idempotency_key":"k"`)
			if first.Error != nil {
				t.Fatal(first.Error)
			}
			for name, again := range map[string]reply{
				"argument":            call(`,"idempotency_key":"k"`),
				"header":              call(``, header+"k"),
				"argument and header": call(`,"idempotency_key":"k"`, header+`"k"`),
				"null and header":     call(`,"idempotency_key":null`, header+`k`),
			} {
				if string(again.Result) != string(first.Result) {
					t.Errorf("%s: %s %v, want the first answer: %s", name, again.Result, again.Error, first.Result)
				}
			}
			if other := call(`,"idempotency_key":"another"`); other.Error != nil || string(other.Result) == string(first.Result) {
				t.Errorf("another key: %s %v", other.Result, other.Error)
			}
			if dry := call(`,"dry_run":true,"idempotency_key":"k"`, header+"no key"); !strings.Contains(string(dry.Result), `"dry_run":true`) {
				t.Errorf("a dry run: %s %v, want it to ignore the key", dry.Result, dry.Error)
			}
			for name, tt := range map[string]struct {
				got   reply
				field string
			}{
				"other fields, by argument":       {call(`,"segment":"x","idempotency_key":"k"`), "idempotency_key"},
				"other fields, by header":         {call(`,"segment":"x"`, header+"k"), "Idempotency-Key"},
				"argument and header that differ": {call(`,"idempotency_key":"k"`, header+"l"), "idempotency_key"},
				"argument with a space":           {call(`,"idempotency_key":"a b"`), "idempotency_key"},
				"two headers":                     {call(``, header+"k", header+"k"), "Idempotency-Key"},
			} {
				if e := tt.got.Error; e == nil || e.Code != -32602 || e.Data.Field != tt.field || !strings.HasPrefix(e.Message, tt.field+" ") {
					t.Errorf("%s: %+v, want -32602 naming %s", name, e, tt.field)
				}
			}
		})
	}
}
