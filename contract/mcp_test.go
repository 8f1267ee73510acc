package contract

import (
	"encoding/json"
	"frontdesk/internal/expect"
	"testing"
	"time"
)

func TestRPCProblem(t *testing.T) {
	t.Parallel()
	refused := InvalidBody("A batch.", "Send one message.")
	for id, want := range map[string]string{`7`: `7`, `"a"`: `"a"`, ``: `null`} {
		refusal := RPCRefusal{Error: *refused.RPCError(RPCInvalidRequest)}
		if id != "" {
			refusal.ID = json.RawMessage(id)
		}
		problem := refused.Problem("https://desk.example")
		problem.RequestID = "r-1"
		body := expect.Value(json.Marshal(refusal.Problem(problem)))(t)
		got := expect.JSON[map[string]json.RawMessage](t, body)
		const member = `{"code":-32600,"message":"A batch. Send one message.","data":{"code":"invalid_request","hint":"Send one message.","request_id":"r-1"}}`
		if string(got["id"]) != want || string(got["jsonrpc"]) != `"2.0"` || string(got["error"]) != member {
			t.Errorf("as a JSON-RPC error: %s", body)
		}
		if string(got["status"]) != "400" || string(got["code"]) != `"invalid_request"` || string(got["detail"]) != `"A batch."` || string(got["ok"]) != "false" || string(got["request_id"]) != `"r-1"` || refusal.Error.Data.RequestID != "" {
			t.Errorf("as a problem record: %s", body)
		}
	}
}

// The message says what happened, what to do and how long to
// wait, and data says the same to programs.
func TestRPCError(t *testing.T) {
	t.Parallel()
	hinted := Invalid("q", "q is required")
	hinted.Hint = "Ask something."
	daily := &Error{Code: RateLimited, Detail: "No more requests are taken today.", RetryAfter: time.Minute}
	tests := []struct {
		name    string
		err     *Error
		message string
		data    RPCErrorData
	}{
		{"limit", Policy{Name: "ask", Quota: 5, Window: time.Minute}.Exceeded(47 * time.Second), "Wait 47 s. More than 5 ask requests in 60 seconds from one client.",
			RPCErrorData{Code: RateLimited, Hint: RateLimited.Info().Hint, RetryAfterSeconds: 47}},
		{"limit without a policy", daily, "Wait 60 s. No more requests are taken today.",
			RPCErrorData{Code: RateLimited, Hint: RateLimited.Info().Hint, RetryAfterSeconds: 60}},
		{"field", Invalid("q", "q is required"), "q is required.",
			RPCErrorData{Code: InvalidRequest, Hint: InvalidRequest.Info().Hint, Field: "q", Errors: []FieldError{{Field: "q", Message: "q is required"}}}},
		{"field with advice", hinted, "q is required. Ask something.",
			RPCErrorData{Code: InvalidRequest, Hint: "Ask something.", Field: "q", Errors: []FieldError{{Field: "q", Message: "q is required"}}}},
		{"several fields", InvalidFields([]FieldError{{Field: "name", Message: "name is required"}, {Field: "email", Message: "email is required"}}), "name is required; email is required.",
			RPCErrorData{Code: InvalidRequest, Hint: InvalidRequest.Info().Hint, Field: "name", Errors: []FieldError{{Field: "name", Message: "name is required"}, {Field: "email", Message: "email is required"}}}},
		{"fault", Internal(nil), "The service failed to handle the request. " + InternalError.Info().Hint,
			RPCErrorData{Code: InternalError, Hint: InternalError.Info().Hint}},
	}
	for _, tt := range tests {
		got := tt.err.RPCError(-1)
		if got.Code != -1 || got.Message != tt.message {
			t.Errorf("%s: %d %q, want -1 %q", tt.name, got.Code, got.Message, tt.message)
		}
		expect.Same(t, tt.name+": data", &tt.data, got.Data)
	}
}
