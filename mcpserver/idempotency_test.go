package mcpserver_test

import (
	"strings"
	"testing"
)

// TestKeys sends the key as an argument and as a header to both servers.
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
				"argument, quoted":    call(`,"idempotency_key":"\"k\""`),
				"header":              call(``, header+"k"),
				"header, quoted":      call(``, header+`"k"`),
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
				"empty argument":                  {call(`,"idempotency_key":""`), "idempotency_key"},
				"long argument":                   {call(`,"idempotency_key":"` + strings.Repeat("k", 256) + `"`), "idempotency_key"},
				"argument that is a number":       {call(`,"idempotency_key":7`), "idempotency_key"},
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
