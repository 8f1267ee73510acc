package mcpserver_test

import (
	"strings"
	"testing"
)

// meta begins parameters that name a protocol version.
const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":`

// oddParams are invalid parameters, and unusual valid ones.
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
	{"number beyond floats", toolCall("get_service", `{"id":1e999}`), 200, -32602, "id"},
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
	{"meta of a later version", rpc("ping", meta+`"2026-07-28"}}`), 400, -32000, "_meta"},
	{"meta of no version", rpc("tools/list", meta+`7}}`), 400, -32000, "_meta"},
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
		if w.Body.Len() > 1000 && got.Error != nil {
			t.Errorf("%s: a refusal of %d bytes repeats what was sent", tt.name, w.Body.Len())
		}
	}
}
