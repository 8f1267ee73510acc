package mcpserver_test

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
)

var envelopes = []struct {
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
	{"only space", "  \n", 400, -32700, `null`},
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

func TestEnvelope(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for _, tt := range envelopes {
		w := f.website.post(t, tt.body)
		if w.Code != tt.status {
			t.Fatalf("%s: status %d, want %d: %s", tt.name, w.Code, tt.status, w.Body)
		}
		if tt.status == 202 {
			if w.Body.Len() > 0 {
				t.Errorf("%s: there is a body: %s", tt.name, w.Body)
			}
			continue
		}
		got := replyOf(t, w)
		if string(got.ID) != tt.id || (got.Error == nil) != (tt.code == 0) || got.Error != nil && got.Error.Code != tt.code {
			t.Errorf("%s: answer %s, want the id %s and the code %d", tt.name, w.Body, tt.id, tt.code)
		}
		wantType := contract.TypeJSON
		if tt.status == 400 {
			wantType = contract.TypeProblem
		}
		if w.Header().Get("Content-Type") != wantType || w.Header()["Mcp-Session-Id"] != nil {
			t.Errorf("%s: headers = %v", tt.name, w.Header())
		}
	}
}

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
		{"later", rpc("ping", `{}`), []string{"2025-11-25"}, 400, ``},
		{"tolerant: later", rpc("tools/list", meta+`"2026-07-28"}}`), []string{"2026-07-28"}, 200, `"tools":[`},
		{"tolerant: later, one day", rpc("ping", `{}`), []string{"2025-06-19"}, 200, `{}`},
		{"tolerant: initialize", rpc("initialize", `{"protocolVersion":"2026-07-28"}`), []string{"2025-11-25"}, 200, `"protocolVersion":"2025-06-18"`},
		{"tolerant: earlier", rpc("ping", `{}`), []string{"2024-11-05"}, 400, ``},
		{"tolerant: not a day", rpc("ping", `{}`), []string{"2026-02-30"}, 400, ``},
		{"tolerant: not a date", rpc("ping", `{}`), []string{"2026-07-28-rc"}, 400, ``},
		{"tolerant: two in one", rpc("ping", `{}`), []string{"2025-11-25, 2025-06-18"}, 400, ``},
		{"tolerant: empty", rpc("ping", `{}`), []string{""}, 400, ``},
		{"tolerant: discover", rpc("server/discover", meta+`"2026-07-28"}}`), []string{"2026-07-28"}, 400, ``},
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

const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":`

var oddParams = []struct {
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
	{"cursor of resources", rpc("resources/list", `{"cursor":"x"}`), 200, -32602, "cursor"},
	{"cursor that is empty", rpc("resources/list", `{"cursor":""}`), 200, 0, ""},
	{"cursor as a number", rpc("resources/list", `{"cursor":0}`), 200, -32602, "cursor"},
	{"no tool", rpc("tools/call", `{}`), 200, -32602, "name is required"},
	{"tool as a number", rpc("tools/call", `{"name":1}`), 200, -32602, "name must be a string"},
	{"unknown tool", toolCall("../list_services", `{}`), 200, -32602, "../list_services"},
	{"very long tool", toolCall(strings.Repeat("x", 7000), `{}`), 200, -32602, "xxx…"},
	{"arguments an array", toolCall("list_services", `[]`), 200, -32602, "arguments"},
	{"arguments as text", toolCall("get_service", `"{\"id\":\"online-booking\"}"`), 200, -32602,
		"arguments must be an object, not its JSON as a string"},
	{"unknown argument", toolCall("get_service", `{"id":"online-booking","x":1}`), 200, -32602, `"x"`},
	{"argument twice", toolCall("get_service", `{"id":"a","id":"b"}`), 200, -32602, "id is given twice"},
	{"argument in another case", toolCall("request_pilot", `{"DRY_RUN":true}`), 200, -32602, "dry_run"},
	{"argument in camel case", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","dryRun":true}`), 200, -32602, `dry_run is misspelled as "dryRun"`},
	{"id missing", toolCall("get_service", `{}`), 200, -32602, "id is required"},
	{"id null", toolCall("get_service", `{"id":null}`), 200, -32602, "id is required"},
	{"id an object", toolCall("get_service", `{"id":{"$ne":null}}`), 200, -32602, "id must be a string"},
	{"unknown id", toolCall("get_service", `{"id":"nope"}`), 200, -32602, "nope"},
	{"number beyond floats", toolCall("get_service", `{"id":1e999}`), 200, -32602, "id"},
	{"question too long", toolCall("ask_faq", `{"q":"`+strings.Repeat("q", 301)+`"}`), 200, -32602, "300"},
	{"question null", toolCall("ask_faq", `{"q":null}`), 200, -32602, "q is required"},
	{"header injection", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com\r\nBcc: b@example.com"}`), 200, -32602, "email"},
	{"dry_run null", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","dry_run":null}`), 200, -32602, "dry_run"},
	{"wrong preview", toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com","preview":"x"}`), 200, -32602, "preview"},
	{"no uri", rpc("resources/read", `{}`), 200, -32602, "uri is required"},
	{"uri as a list", rpc("resources/read", `{"uri":["x"]}`), 200, -32602, "uri must be a string"},
	{"unknown uri", rpc("resources/read", `{"uri":"../../llms.txt"}`), 200, -32002, "../../llms.txt"},
	{"a path is no uri", rpc("resources/read", `{"uri":"/pricing"}`), 200, -32002, "/pricing"},
	{"meta no object", rpc("ping", `{"_meta":1}`), 200, -32602, "_meta"},
	{"meta of the version spoken", rpc("ping", meta+`"2025-03-26"}}`), 200, 0, ""},
	{"meta of a later version", rpc("tools/list", meta+`"2026-07-28"}}`), 200, 0, ""},
	{"meta of no version", rpc("tools/list", meta+`7}}`), 200, 0, ""},
	{"meta of a later version, unknown uri", rpc("resources/read", meta+`"2026-07-28"},"uri":"x:y"}`), 200, -32002, "x:y"},
	{"meta of a later version, discover", rpc("server/discover", meta+`"2026-07-28"}}`), 200, -32601, "server/discover"},
	{"progress token", rpc("tools/call", `{"_meta":{"progressToken":1},"name":"list_services"}`), 200, 0, ""},
}

// TestInvalidParams checks that invalid parameters are protocol errors with status 200.
func TestInvalidParams(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for _, tt := range oddParams {
		w := f.website.post(t, tt.body)
		got := replyOf(t, w)
		if w.Code != tt.status || (got.Error != nil) != (tt.code != 0) {
			t.Fatalf("%s: answer %d %s, want %d and the code %d", tt.name, w.Code, w.Body, tt.status, tt.code)
		}
		if got.Error != nil && (got.Error.Code != tt.code || !strings.Contains(got.Error.Message, tt.names)) {
			t.Errorf("%s: error %d %q, want %d naming %s", tt.name, got.Error.Code, got.Error.Message, tt.code, tt.names)
		}
		if w.Body.Len() > 1100 && got.Error != nil {
			t.Errorf("%s: a refusal of %d bytes repeats what was sent", tt.name, w.Body.Len())
		}
	}
}
