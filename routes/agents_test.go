package routes_test

import (
	"bytes"
	"net/http"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/signing"
	"frontdesk/routes"
)

// fakeAgents verifies requests by their body.
type fakeAgents struct{}

func (fakeAgents) Check(r *http.Request, body []byte) (outcome, agent string) {
	switch {
	case r.Header["Signature"] == nil:
		return signing.Unsigned, ""
	case string(body) == ask:
		return signing.Verified, "https://agent.example"
	}
	return signing.Invalid, ""
}

// TestAgentSignatures checks that the result of checking a signature is logged and never
// leads to a refusal.
func TestAgentSignatures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path, body string
		header           []string
		status           int
		signature, agent any
	}{
		{"verified", contract.PathAsk, ask, []string{"Signature: a"}, 200, "verified", "https://agent.example"},
		{"verified and answered with a signature", contract.PathAsk, ask, []string{"Signature: a", "Accept-Signature: sig1=()"}, 200, "verified", "https://agent.example"},
		{"invalid", contract.PathContact, dry, []string{"Signature: a"}, 200, "invalid", nil},
		{"invalid and refused for what it asks", contract.PathAsk, `{}`, []string{"Signature: a"}, 400, "invalid", nil},
		{"unsigned", contract.PathAsk, ask, nil, 200, nil, nil},
	} {
		var log bytes.Buffer
		f := newFrontWith(t, &log, func(c *routes.Config) { c.Agents = fakeAgents{} })
		if w := f.post(t, alice, tt.path, tt.body, tt.header...); w.Code != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, w.Code, tt.status)
		}
		line := expect.JSON[map[string]any](t, log.Bytes())
		if line["agent_signature"] != tt.signature || line["agent"] != tt.agent {
			t.Errorf("%s: log = %s, want %v by %v", tt.name, &log, tt.signature, tt.agent)
		}
	}
}
