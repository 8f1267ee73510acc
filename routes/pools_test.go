package routes_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// Addresses of newPools.
const inOpenAI, alsoInOpenAI, monitor = "203.0.113.1", "203.0.113.200", "198.51.100.1"

// newPools makes a service with an assistant that names its people, a client without a
// limit, and a proxy.
func newPools(t *testing.T, log *bytes.Buffer) front {
	return front{Front: harness.NewFront(t, log, func(s *config.Settings) {
		s.SharedClients, s.LimitExempt = []string{"openai=203.0.113.0/24"}, []string{monitor}
		s.TrustedProxies = []string{"10.0.0.1"}
	}, app.Replacements{})}
}

// toolFor calls a tool for a person.
func toolFor(tool, arguments, person string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%q:%s}}}`,
		tool, arguments, contract.MetaSubject, person)
}

// limited checks the status of an answer, the policy that it names, and what is left.
func limited(t *testing.T, what string, w *httptest.ResponseRecorder, status int, policy contract.Policy, left int) {
	t.Helper()
	want := fmt.Sprint(status, " ", policy.Header(), " ", policy.Remaining(left))
	if policy == (contract.Policy{}) {
		want = fmt.Sprint(status, "  ")
	}
	expect.Same(t, what, want, fmt.Sprint(w.Code, " ", w.Header().Get(contract.HeaderRateLimitPolicy), " ", rate(w)))
}

func contains(t *testing.T, w *httptest.ResponseRecorder, text string) {
	t.Helper()
	if !strings.Contains(w.Body.String(), text) {
		t.Errorf("the answer does not say %q: %s", text, w.Body)
	}
}

// TestPeopleBehindAnAssistant: each person has the limit of a client, whatever address the
// assistant calls from, and no log has a name.
func TestPeopleBehindAnAssistant(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	f, policy := newPools(t, &log), contract.AskPolicy
	call := toolFor(contract.ToolAskFAQ, ask, `"v1/of-ada"`)
	for i := range policy.Quota {
		limited(t, "a question", f.post(t, []string{inOpenAI, alsoInOpenAI}[i%2], contract.PathMCP, call), 200, policy, policy.Quota-1-i)
	}
	refused := f.post(t, inOpenAI, contract.PathMCP, call)
	limited(t, "one more", refused, 429, policy, 0)
	contains(t, refused, "More than 5 ask requests in 60 seconds from one client.")
	trial := toolFor(contract.ToolStartTrial, `{"business":"AE","email":"ada@example.com"}`, `"v1/of-ada"`)
	limited(t, "a trial", f.post(t, inOpenAI, contract.PathWorkspaceMCP, trial), 200, contract.TrialPolicy, 2)
	left := policy.Pool - policy.Quota
	for _, unnamed := range []string{`""`, `null`, `7`, `{}`, `"` + strings.Repeat("x", contract.MaxSubject+1) + `"`} {
		left--
		limited(t, "named "+unnamed[:1], f.post(t, inOpenAI, contract.PathMCP, toolFor(contract.ToolAskFAQ, ask, unnamed)), 200, policy.OfPool(), left)
	}
	limited(t, "over HTTP", f.post(t, alsoInOpenAI, contract.PathAsk, ask), 200, policy.OfPool(), left-1)
	limited(t, "feedback", f.post(t, alsoInOpenAI, contract.PathFeedback, `{"helpful":true,"q":"x"}`), 200, policy.OfPool(), left-2)
	limited(t, "through a proxy", f.post(t, "10.0.0.1", contract.PathAsk, ask, "X-Forwarded-For: "+inOpenAI), 200, policy.OfPool(), left-3)
	limited(t, "a body over the cap", f.post(t, inOpenAI, contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1)), 413, policy.OfPool(), left-3)
	for range left - 3 {
		f.post(t, inOpenAI, contract.PathAsk, ask)
	}
	refused = f.post(t, inOpenAI, contract.PathMCP, toolFor(contract.ToolAskFAQ, ask, `"v1/of-grace"`))
	limited(t, "a new person past the pool's", refused, 429, policy.OfPool(), 0)
	contains(t, refused, "More than 60 ask requests in 60 seconds from all callers that share your assistant or network.")
	limited(t, "over HTTP past the pool's", f.post(t, inOpenAI, contract.PathAsk, ask), 429, policy.OfPool(), 0)
	limited(t, "forwarded by a stranger", f.post(t, "192.0.2.1", contract.PathAsk, ask,
		"X-Forwarded-For: "+inOpenAI, "X-Real-IP: "+inOpenAI, "True-Client-IP: "+inOpenAI, "CF-Connecting-IP: "+inOpenAI, "Forwarded: for="+inOpenAI), 200, policy, policy.Quota-1)
	if strings.Contains(log.String(), "v1/of-") {
		t.Errorf("the log has a name: %s", log.String())
	}
}

// TestDailyCapOfAPool: the cap of a day counts a pool as one network, and holds for clients
// without a limit too.
func TestDailyCapOfAPool(t *testing.T) {
	t.Parallel()
	f := front{Front: harness.NewFront(t, io.Discard, func(s *config.Settings) {
		s.DailySends.Text = "20" // two from one network
		s.LimitExempt = []string{"198.51.100.0/24"}
	}, app.Replacements{})}
	n := 0
	send := func(addr string) int {
		n++
		w := f.post(t, addr, contract.PathContact, harness.ContactBody(fmt.Sprintf(`,"phone":"%d"`, n)), "Content-Type: application/json")
		if w.Code == 429 {
			contains(t, w, "The daily limit")
		}
		return w.Code
	}
	for _, addrs := range [][]string{{"160.79.104.1", "160.79.111.1", "160.79.105.1"}, {"198.51.100.1", "198.51.100.2", "198.51.100.3"}} {
		expect.Same(t, "sends of "+addrs[0], []int{200, 200, 429}, []int{send(addrs[0]), send(addrs[1]), send(addrs[2])})
	}
	expect.Same(t, "another network", 200, send("192.0.2.1"))
}

// TestExemptClients have no limit and no headers of one.
func TestExemptClients(t *testing.T) {
	t.Parallel()
	f, none := newPools(t, &bytes.Buffer{}), contract.Policy{}
	for i := range 12 {
		limited(t, "a question", f.post(t, monitor, contract.PathAsk, ask), 200, none, 0)
		limited(t, "a call", f.post(t, monitor, contract.PathMCP, harness.ToolCall(contract.ToolAskFAQ, ask)), 200, none, 0)
		limited(t, "a request", f.post(t, monitor, contract.PathContact, harness.ContactBody(fmt.Sprintf(`,"phone":"%d"`, i)), "Content-Type: application/json"), 200, none, 0)
	}
	limited(t, "a body over the cap", f.post(t, monitor, contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1)), 413, none, 0)
}
