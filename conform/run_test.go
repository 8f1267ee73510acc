package conform

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func serve(t *testing.T, status int, body string, header ...string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			w.Header().Add(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server
}

func wants(status int) func(*Answer) {
	return func(a *Answer) {
		if a.Status != status {
			a.Fail("status %d", status)
		}
	}
}

func asking(n int) []Check {
	checks := make([]Check, n)
	for i := range checks {
		checks[i] = Check{Section: "8", Name: fmt.Sprintf("question-%d", i), Sentence: "A question is answered.", Slots: map[contract.Policy]int{contract.AskPolicy: 1},
			Run: func(p *Probe) { p.Send(post(contract.PathAsk, `{"q":"x"}`), wants(200)) }}
	}
	return checks
}

func TestServiceDisappears(t *testing.T) {
	t.Parallel()
	server := serve(t, 200, "{}")
	s := expect.Value(start(t.Context(), asking(100), Options{URL: server.URL}))(t)
	server.Close()
	failed, skipped := 0, 0
	for _, result := range s.playAll() {
		if result.Status == Fail {
			failed++
		}
		if result.Reason == gone {
			skipped++
		}
	}
	if failed == 0 || failed > maxUnanswered+parallel || skipped == 0 {
		t.Errorf("%d checks failed and %d were skipped; want the run to give up after %d requests", failed, skipped, maxUnanswered)
	}
}

func TestPoliteOnRequest(t *testing.T) {
	t.Parallel()
	var questions atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == contract.PathAsk {
			questions.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	quota := contract.AskPolicy.Quota
	report := expect.Value(Run(t.Context(), asking(quota+3), Options{URL: server.URL, Polite: true}))(t)
	skipped := 0
	for _, result := range report.Results {
		if result.Reason == spent(contract.AskPolicy) {
			skipped++
		}
	}
	if report.Mode != modeAsked || int(questions.Load()) != quota || skipped != 3 {
		t.Errorf("%s: %d questions were sent and %d checks skipped, want %d and 3", report.Mode, questions.Load(), skipped, quota)
	}
}

func TestUndeclaredCost(t *testing.T) {
	t.Parallel()
	s := expect.Value(start(t.Context(), asking(1), Options{URL: serve(t, 200, "{}").URL}))(t)
	defer func() {
		if recover() == nil {
			t.Error("the second question of a check that declares one does not panic")
		}
	}()
	s.play(&Check{Name: "greedy", Slots: map[contract.Policy]int{contract.AskPolicy: 1}, Run: func(p *Probe) {
		p.Send(post(contract.PathAsk, "{}"))
		p.Send(post(contract.PathAsk, "{}"))
	}})
}
