package middleware

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"frontdesk/contract"
)

// TestRPCRefusal writes one body that is a problem record and a JSON-RPC error.
func TestRPCRefusal(t *testing.T) {
	t.Parallel()
	refusal := contract.AskPolicy.Exceeded(9 * time.Second)
	refusal.RPC = &contract.RPCRefusal{ID: json.RawMessage("12345678901234567890"), Error: *refusal.RPCError(contract.RPCServerError)}
	problems := &Problems{BaseURL: base, Page: func(string, *contract.Error, string) []byte { return []byte("a page") }}
	w := serve(problems.Handle(func(http.ResponseWriter, *http.Request) error { return refusal }),
		get(t, contract.PathMCP, http.Header{"Accept": {"text/html"}}))
	if w.Code != 429 || w.Header().Get("Retry-After") != "9" || w.Header().Get("Content-Type") != contract.TypeProblem {
		t.Errorf("answer %d %v", w.Code, w.Header())
	}
	var got struct {
		ID     json.Number
		Code   contract.Code
		Detail string
		Error  contract.RPCError
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.ID != "12345678901234567890" || got.Code != contract.RateLimited || got.Error.Code != -32000 || got.Error.Message != "Too many ask requests: wait 9 s" {
		t.Errorf("body = %s", w.Body)
	}
}
