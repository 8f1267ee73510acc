package conform

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func fine(http.ResponseWriter, *http.Request) {}

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
		checks[i] = Check{Name: fmt.Sprint("question-", i), Slots: map[contract.Policy]int{contract.AskPolicy: 1},
			Run: func(p *Probe) { p.Send(post(contract.PathAsk, `{"q":"x"}`), wants(200)) }}
	}
	return checks
}

func TestServiceDisappears(t *testing.T) {
	t.Parallel()
	server := serve(t, fine)
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
		t.Errorf("%d checks failed and %d were skipped; want an end after %d requests", failed, skipped, maxUnanswered)
	}
}

func TestPoliteOnRequest(t *testing.T) {
	t.Parallel()
	var questions atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == contract.PathAsk {
			questions.Add(1)
		} else {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	quota := contract.AskPolicy.Quota
	home := func(p *Probe) { p.Send(Request{Method: "GET", Path: "/"}, wants(200)) }
	checks := append(asking(quota+3), Check{Run: home})
	report := expect.Value(Run(t.Context(), checks, Options{URL: server.URL, Polite: true}))(t)
	expect.Same(t, "a request without a limit that is refused by one", Fail, report.Results[quota+3].Status)
	skipped := 0
	for _, result := range report.Results {
		if result.Reason == spent(contract.AskPolicy) {
			skipped++
		}
	}
	expect.Same(t, "mode, questions that were sent, and checks that were skipped", []any{modeAsked, quota, 3},
		[]any{report.Mode, int(questions.Load()), skipped})
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "## Hours\n<script type=application/ld+json>{\"mainEntity\":[{\"name\":\"Why?\"}]}</script>")
	})
	s := expect.Value(start(t.Context(), nil, Options{URL: server.URL}))(t)
	expect.Same(t, "questions", []string{"Why?"}, s.facts.Questions)
}

func TestUndeclaredCost(t *testing.T) {
	t.Parallel()
	s := expect.Value(start(t.Context(), asking(1), Options{URL: serve(t, fine).URL}))(t)
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
