package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestEnvelope plays messages in every wrong and every odd shape.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	tests := []struct {
		name, body string
		status     int
		code       int    // of the JSON-RPC error; 0 means none
		id         string // of the answer
	}{
		{"request", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, 200, 0, `7`},
		{"space around", " \r\n\t{ \"method\" : \"ping\" , \"id\" : \"a b\" , \"jsonrpc\" : \"2.0\" } \n", 200, 0, `"a b"`},
		{"escaped method", `{"jsonrpc":"2.0","id":7,"method":"p\u0069ng"}`, 200, 0, `7`},
		{"large id", `{"jsonrpc":"2.0","id":98765432109876543210,"method":"ping"}`, 200, 0, `98765432109876543210`},
		{"id beyond floats", `{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"get_service","arguments":{"id":"online-booking"}}}`, 200, 0, `1e999`},
		{"negative id", `{"jsonrpc":"2.0","id":-1,"method":"ping"}`, 200, 0, `-1`},
		{"id with escapes", `{"jsonrpc":"2.0","id":"\u00e9\"<","method":"ping"}`, 200, 0, `"\u00e9\"<"`},
		{"other members are ignored", `{"jsonrpc":"2.0","id":1,"method":"ping","extra":[1]}`, 200, 0, `1`},
		{"params null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, 200, 0, `1`},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, 0, ``},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope","params":[]}`, 202, 0, ``},
		{"tool call without an id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"request_pilot"}}`, 202, 0, ``},
		{"response", `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`, 202, 0, ``},
		{"error response", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, 202, 0, ``},

		{"empty", ``, 400, -32700, `null`},
		{"space alone", "  \n", 400, -32700, `null`},
		{"no JSON", `ping`, 400, -32700, `null`},
		{"cut off", `{"jsonrpc":"2.0","id":1`, 400, -32700, `null`},
		{"two documents", `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, 400, -32700, `null`},
		{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 400, -32700, `null`},
		{"not UTF-8", `{"jsonrpc":"2.0","id":1,"method":"p` + "\xff" + `"}`, 400, -32700, `null`},
		{"too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, 400, -32600, `null`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, 400, -32600, `null`},
		{"empty batch", ` []`, 400, -32600, `null`},
		{"scalar", `"ping"`, 400, -32600, `null`},
		{"null", `null`, 400, -32600, `null`},
		{"no version", `{"id":1,"method":"ping"}`, 400, -32600, `1`},
		{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, 400, -32600, `1`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, 400, -32600, `1`},
		{"no id, no method", `{"jsonrpc":"2.0"}`, 400, -32600, `null`},
		{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, 400, -32600, `1`},
		{"method as an object", `{"jsonrpc":"2.0","id":1,"method":{}}`, 400, -32600, `1`},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, 400, -32600, `1`},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, 400, -32600, `1`},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, 400, -32600, `null`},
		{"id an object", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, 400, -32600, `null`},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, 400, -32600, `null`},
		{"method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, 400, -32600, `null`},
		{"another case", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, 400, -32600, `null`},

		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, 200, -32601, `1`},
		{"method of a key", `{"jsonrpc":"2.0","id":1,"method":"tools/calllist_services"}`, 200, -32601, `1`},
		{"a later protocol's method", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, 200, -32601, `1`},
		{"a later protocol's stream", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, 200, -32601, `1`},
		{"logging", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`, 200, -32601, `1`},
		{"subscribe", `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"` + base + `/pricing"}}`, 200, -32601, `1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := post(t, f.website, tt.body)
			if w.Code != tt.status {
				t.Fatalf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
			if tt.status == 202 {
				if w.Body.Len() > 0 {
					t.Errorf("there is a body: %s", w.Body)
				}
				return
			}
			got := replyOf(t, w)
			if string(got.ID) != tt.id || (got.Error == nil) != (tt.code == 0) || got.Error != nil && got.Error.Code != tt.code {
				t.Errorf("answer %s, want the id %s and the code %d", w.Body, tt.id, tt.code)
			}
			wantType := contract.TypeJSON
			if tt.status == 400 {
				wantType = contract.TypeProblem
			}
			if w.Header().Get("Content-Type") != wantType || w.Header()["Mcp-Session-Id"] != nil {
				t.Errorf("headers = %v", w.Header())
			}
		})
	}
}

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

// TestInvalidParams plays wrong parameters: protocol errors behind the status 200.
func TestInvalidParams(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":`
	tests := []struct {
		name, body string
		status     int
		code       int
		names      string // what the message must name
	}{
		{"array", rpc("tools/list", `[]`), 200, -32602, "params"},
		{"string", rpc("ping", `"x"`), 200, -32602, "params"},
		{"twice", rpc("tools/call", `{"name":"list_services","name":"request_pilot"}`), 200, -32602, "name"},
		{"another case", rpc("tools/call", `{"Name":"list_services"}`), 200, -32602, "name"},
		{"cursor", rpc("tools/list", `{"cursor":"x"}`), 200, -32602, "cursor"},
		{"cursor of resources", rpc("resources/list", `{"cursor":""}`), 200, -32602, "cursor"},
		{"no tool", rpc("tools/call", `{}`), 200, -32602, "name"},
		{"tool as a number", rpc("tools/call", `{"name":1}`), 200, -32602, "name"},
		{"unknown tool", toolCall("../list_services", `{}`), 200, -32602, "../list_services"},
		{"very long tool", toolCall(strings.Repeat("x", 7000), `{}`), 200, -32602, "xxx…"},
		{"arguments an array", toolCall("list_services", `[]`), 200, -32602, "arguments"},
		{"arguments a string", toolCall("get_service", `"online-booking"`), 200, -32602, "arguments"},
		{"unknown argument", toolCall("get_service", `{"id":"online-booking","x":1}`), 200, -32602, `"x"`},
		{"argument twice", toolCall("get_service", `{"id":"a","id":"b"}`), 200, -32602, "id is given twice"},
		{"argument in another case", toolCall("request_pilot", `{"DRY_RUN":true}`), 200, -32602, "dry_run"},
		{"id missing", toolCall("get_service", `{}`), 200, -32602, "id is required"},
		{"id null", toolCall("get_service", `{"id":null}`), 200, -32602, "id is required"},
		{"id an object", toolCall("get_service", `{"id":{"$ne":null}}`), 200, -32602, "id must be a string"},
		{"unknown id", toolCall("get_service", `{"id":"nope"}`), 200, -32602, "nope"},
		{"number beyond floats", toolCall("get_service", `{"id":1e999}`), 200, -32602, "id must be a string"},
		{"question too long", toolCall("ask_faq", `{"q":"`+strings.Repeat("q", 301)+`"}`), 200, -32602, "300"},
		{"question null", toolCall("ask_faq", `{"q":null}`), 200, -32602, "q is required"},
		{"header injection", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com\r\nBcc: b@example.com"}`), 200, -32602, "email"},
		{"dry_run null", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","dry_run":null}`), 200, -32602, "dry_run"},
		{"wrong preview", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","preview":"x"}`), 200, -32602, "preview"},
		{"no uri", rpc("resources/read", `{}`), 200, -32602, "uri"},
		{"uri as a list", rpc("resources/read", `{"uri":["x"]}`), 200, -32602, "uri"},
		{"unknown uri", rpc("resources/read", `{"uri":"../../llms.txt"}`), 200, -32002, "../../llms.txt"},
		{"a path is no uri", rpc("resources/read", `{"uri":"/pricing"}`), 200, -32002, "/pricing"},
		{"meta no object", rpc("ping", `{"_meta":1}`), 200, -32602, "_meta"},
		{"meta of the version spoken", rpc("ping", meta+`"2025-03-26"}}`), 200, 0, ""},
		{"meta of a later version", rpc("ping", meta+`"2026-07-28"}}`), 400, -32600, "_meta"},
		{"meta of no version", rpc("tools/list", meta+`7}}`), 400, -32600, "_meta"},
		{"progress token", rpc("tools/call", `{"_meta":{"progressToken":1},"name":"list_services"}`), 200, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := post(t, f.website, tt.body)
			got := replyOf(t, w)
			if w.Code != tt.status || (got.Error != nil) != (tt.code != 0) {
				t.Fatalf("answer %d %s, want %d and the code %d", w.Code, w.Body, tt.status, tt.code)
			}
			if got.Error != nil && (got.Error.Code != tt.code || !strings.Contains(got.Error.Message, tt.names)) {
				t.Errorf("error %d %q, want %d naming %s", got.Error.Code, got.Error.Message, tt.code, tt.names)
			}
			if w.Body.Len() > 1000 && got.Error != nil {
				t.Errorf("a refusal of %d bytes repeats what was sent", w.Body.Len())
			}
		})
	}
}

// TestFailuresKeepTheirText shows that the caller of a tool that panics or fails
// learns nothing of it, and the log everything.
func TestFailuresKeepTheirText(t *testing.T) {
	t.Parallel()
	const secret = "the password is hunter2"
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, func(c *Core) {
			c.Answers = asking(func(context.Context, string) contract.Answer { panic(secret) })
		})
		w := post(t, f.website, toolCall("ask_faq", `{"q":"x"}`))
		keepsText(t, f, w.Body.String(), secret)
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || onWire(w.Header(), contract.HeaderRateLimit) == "" {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
		if !strings.Contains(f.log.String(), "reading.go") {
			t.Error("the log does not tell where the tool panicked")
		}
		if w := post(t, f.website, rpc("ping", `{}`)); w.Code != 200 {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
	t.Run("database", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, nil)
		if err := f.store.Close(); err != nil {
			t.Fatal(err)
		}
		w := post(t, f.workspace, toolCall("start_trial", `{"business":"AE","email":"ada@example.com"}`))
		keepsText(t, f, w.Body.String(), "closed")
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || onWire(w.Header(), contract.HeaderRateLimit) != `"trial";r=2` {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
	})
	t.Run("mail", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, nil)
		f.courier.err = &contract.Error{Code: contract.BadGateway, Detail: "Not delivered.", Cause: errors.New(secret)}
		w := post(t, f.website, toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com"}`))
		keepsText(t, f, w.Body.String(), secret)
		got := toolResultOf(t, w)
		var problem contract.Problem
		if err := json.Unmarshal([]byte(got.Content[0].Text), &problem); err != nil {
			t.Fatal(err)
		}
		if !got.IsError || problem.Code != contract.BadGateway || problem.Type != base+"/developers#errors-bad_gateway" || problem.Status != http.StatusBadGateway {
			t.Errorf("result = %s", w.Body)
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
