package routes_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func exempting(t *testing.T, change func(*config.Settings)) front {
	return front{harness.NewFront(t, io.Discard, func(s *config.Settings) {
		s.LimitExempt = []string{"198.51.100.0/24"}
		change(s)
	}, harness.Changes{})}
}

// The cap of a day counts a pool as one network, and holds for clients
// without a limit too.
func TestDailyCapOfAPool(t *testing.T) {
	t.Parallel()
	f := exempting(t, func(s *config.Settings) { s.DailySends.Text = "20" }) // two from one network
	n := 0
	send := func(addr string) int {
		n++
		w := f.post(t, addr, contract.PathContact, harness.ContactBody(fmt.Sprintf(`,"phone":"%d"`, n)), "Content-Type: application/json")
		if w.Code == 429 && !strings.Contains(w.Body.String(), "The daily limit") {
			t.Errorf("another limit refuses: %s", w.Body)
		}
		return w.Code
	}
	for _, addrs := range [][]string{{"160.79.104.1", "160.79.111.1", "160.79.105.1"}, {"198.51.100.1", "198.51.100.2", "198.51.100.3"}} {
		expect.Same(t, "sends of "+addrs[0], []int{200, 200, 429}, []int{send(addrs[0]), send(addrs[1]), send(addrs[2])})
	}
	expect.Same(t, "another network", 200, send("192.0.2.1"))
}

func TestExemptClients(t *testing.T) {
	t.Parallel()
	f := exempting(t, func(*config.Settings) {})
	check := func(what, path, body string, want int) {
		t.Helper()
		w := f.post(t, alice, path, body)
		status(t, what, w, want, "")
		expect.Same(t, "RateLimit-Policy of "+what, "", w.Header().Get(contract.HeaderRateLimitPolicy))
	}
	for range contract.AskPolicy.Quota + 1 {
		check("a question", contract.PathAsk, ask, 200)
		check("a call", contract.PathMCP, harness.ToolCall(contract.ToolAskFAQ, ask), 200)
	}
	check("a body over the cap", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), 413)
}
