package routes_test

import (
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
)

func status(t *testing.T, what string, w *httptest.ResponseRecorder, want int, wantRate string) {
	t.Helper()
	if w.Code != want || rate(w) != wantRate {
		t.Fatalf("%s: %d %s, want %d %s: %s", what, w.Code, rate(w), want, wantRate, w.Body)
	}
}

// waitRetryAfter sleeps for the Retry-After of a refusal.
func waitRetryAfter(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
	if err != nil || seconds < 1 || seconds > 60 {
		t.Fatalf("Retry-After = %q, want 1 to 60 seconds", w.Header().Get("Retry-After"))
	}
	time.Sleep(time.Duration(seconds) * time.Second)
}

// TestAskStory asks five questions over three paths and one too many, then waits for
// Retry-After. An invalid question counts like any other; another client has its own
// limit.
func TestAskStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFront(t)
		status(t, "first", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=4`)
		time.Sleep(7 * time.Second)
		status(t, "alias", f.post(t, alice, contract.PathAskAlias, ask), 200, `"ask";r=3`)
		status(t, "invalid", f.post(t, alice, contract.PathAsk, `{"q":""}`), 400, `"ask";r=2`)
		status(t, "feedback", f.post(t, alice, contract.PathFeedback, `{"helpful":true,"q":"x"}`), 200, `"ask";r=1`)
		time.Sleep(5 * time.Second)
		status(t, "fifth", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=0`)
		refused := f.post(t, alice, contract.PathFeedback, `{"helpful":true,"q":"x"}`)
		status(t, "sixth", refused, 429, `"ask";r=0`)
		status(t, "another client", f.post(t, bob, contract.PathAsk, ask), 200, `"ask";r=4`)
		if got := refused.Header().Get("Retry-After"); got != "48" {
			t.Errorf("Retry-After = %s, want 48: the first request is 12 seconds old", got)
		}
		waitRetryAfter(t, refused)
		status(t, "after Retry-After", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=0`)
	})
}

// TestContactStory makes three real sends, with dry runs and invalid requests between
// them, which do not count.
func TestContactStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFront(t)
		between := func() {
			t.Helper()
			for range 4 {
				status(t, "dry run", f.post(t, alice, contract.PathContact, dry), 200, "")
				status(t, "invalid", f.post(t, alice, contract.PathContactAlias, `{"name":"Ada"}`), 400, "")
				status(t, "wrong preview", f.post(t, alice, contract.PathContact, `{`+valid+`,"preview":"x"}`), 400, "")
			}
		}
		between()
		status(t, "first", f.post(t, alice, contract.PathContact, real), 200, `"contact";r=2`)
		between()
		status(t, "second, alias", f.post(t, alice, contract.PathContactAlias, real), 200, `"contact";r=1`)
		f.courier.fail = errDelivery
		status(t, "third, not delivered", f.post(t, alice, contract.PathContact, real), 502, `"contact";r=0`)
		f.courier.fail = nil
		between()
		refused := f.post(t, alice, contract.PathContact, real)
		status(t, "fourth", refused, 429, `"contact";r=0`)
		if n := len(f.courier.sent); n != 3 {
			t.Errorf("%d requests reached the courier, want 3", n)
		}
		waitRetryAfter(t, refused)
		status(t, "after Retry-After", f.post(t, alice, contract.PathContact, real), 200, `"contact";r=2`)
		status(t, "asking is another policy", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=4`)
	})
}

// TestTwentyAtOnce checks that exactly five of twenty concurrent questions are answered.
func TestTwentyAtOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	codes := make([]int, 20)
	var group sync.WaitGroup
	for i := range codes {
		group.Go(func() { codes[i] = f.post(t, alice, contract.PathAsk, ask).Code })
	}
	group.Wait()
	count := map[int]int{}
	for _, code := range codes {
		count[code]++
	}
	if count[200] != 5 || count[429] != 15 {
		t.Errorf("answers = %v, want five 200 and fifteen 429", count)
	}
}

func toolCall(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// TestMixedStory asks over HTTP and MCP, which share one limit and report the same
// remainder.
func TestMixedStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFront(t)
		askFAQ := toolCall("ask_faq", ask)
		status(t, "HTTP", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=4`)
		status(t, "MCP", f.post(t, alice, contract.PathMCP, askFAQ), 200, `"ask";r=3`)
		status(t, "MCP, invalid", f.post(t, alice, contract.PathMCP, toolCall("ask_faq", `{"q":""}`)), 200, `"ask";r=2`)
		status(t, "reading", f.post(t, alice, contract.PathMCP, toolCall("list_services", `{}`)), 200, "")
		status(t, "alias", f.post(t, alice, contract.PathAskAlias, ask), 200, `"ask";r=1`)
		status(t, "unknown tool", f.post(t, alice, contract.PathMCP, toolCall("ask", ask)), 200, "")
		time.Sleep(3 * time.Second)
		status(t, "MCP, the fifth", f.post(t, alice, contract.PathMCP, askFAQ), 200, `"ask";r=0`)
		status(t, "another client", f.post(t, bob, contract.PathMCP, askFAQ), 200, `"ask";r=4`)
		status(t, "HTTP, the sixth", f.post(t, alice, contract.PathAsk, ask), 429, `"ask";r=0`)
		refused := f.post(t, alice, contract.PathMCP, askFAQ)
		status(t, "MCP, the sixth", refused, 429, `"ask";r=0`)
		if got := refused.Header().Get(contract.HeaderRateLimitPolicy); got != `"ask";q=5;w=60` || refused.Header().Get("Retry-After") != "57" {
			t.Errorf("headers = %v", refused.Header())
		}
		status(t, "reading still", f.post(t, alice, contract.PathMCP, toolCall("list_services", `{}`)), 200, "")
		waitRetryAfter(t, refused)
		// The first four are out of the window; the fifth stays for three more seconds.
		status(t, "after Retry-After", f.post(t, alice, contract.PathMCP, askFAQ), 200, `"ask";r=3`)
	})
}

// TestMixedContactStory files requests over HTTP and MCP, and starts trials, which have
// their own policy.
func TestMixedContactStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFront(t)
		pilot := func(arguments string) *httptest.ResponseRecorder {
			return f.post(t, alice, contract.PathMCP, toolCall("request_pilot", arguments))
		}
		trial := func(members string) *httptest.ResponseRecorder {
			return f.post(t, alice, contract.PathWorkspaceMCP, toolCall("start_trial", `{"business":"AE","email":"ada@example.com"`+members+`}`))
		}
		for range 4 {
			status(t, "dry run", pilot(dry), 200, "")
			status(t, "invalid", pilot(`{"name":"Ada"}`), 200, "")
			status(t, "unknown argument", pilot(`{`+valid+`,"x":1}`), 200, "")
			status(t, "dry trial", trial(`,"dry_run":true`), 200, "")
			status(t, "invalid trial", trial(`,"dry_run":1`), 200, "")
		}
		status(t, "MCP", pilot(real), 200, `"contact";r=2`)
		status(t, "HTTP", f.post(t, alice, contract.PathContact, real), 200, `"contact";r=1`)
		f.courier.fail = errDelivery
		status(t, "MCP, not delivered", pilot(real), 200, `"contact";r=0`)
		f.courier.fail = nil
		status(t, "HTTP, the fourth", f.post(t, alice, contract.PathContactAlias, real), 429, `"contact";r=0`)
		refused := pilot(real)
		status(t, "MCP, the fourth", refused, 429, `"contact";r=0`)
		if n := len(f.courier.sent); n != 3 {
			t.Errorf("%d requests reached the courier, want 3", n)
		}
		for _, rate := range []string{`"trial";r=2`, `"trial";r=1`, `"trial";r=0`} {
			status(t, "trial", trial(""), 200, rate)
		}
		status(t, "the fourth trial", trial(""), 429, `"trial";r=0`)
		status(t, "dry runs have no limit", trial(`,"dry_run":true`), 200, "")
		if n := len(f.drafts.added); n != 3 {
			t.Errorf("%d drafts are stored, want 3", n)
		}
		waitRetryAfter(t, refused)
		status(t, "after Retry-After", pilot(real), 200, `"contact";r=2`)
		status(t, "and a trial", trial(""), 200, `"trial";r=2`)
	})
}
