package conform

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
		t.Errorf("%d failed, %d skipped; want an end after %d requests", failed, skipped, maxUnanswered)
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
	expect.Same(t, "an unlimited request", Fail, report.Results[quota+3].Status)
	skipped := 0
	for _, result := range report.Results {
		if result.Reason == spent(contract.AskPolicy) {
			skipped++
		}
	}
	expect.Same(t, "mode, questions, skipped checks", []any{modeAsked, quota, 3},
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

func TestReasons(t *testing.T) {
	t.Parallel()
	sink, send := &Sink{}, map[contract.Policy]int{contract.ContactPolicy: 1}
	trial := map[contract.Policy]int{contract.TrialPolicy: 1}
	for _, tt := range []struct {
		check   Check
		options Options
		polite  bool
		want    string
	}{
		{Check{}, Options{}, true, ""},
		{Check{Slots: send}, Options{}, false, needsSend},
		{Check{Slots: send}, Options{Send: true}, true, ""},
		{Check{Slots: trial}, Options{}, false, needsSend},
		{Check{NeedsMail: true}, Options{}, false, needsSink},
		{Check{NeedsMail: true, Slots: send}, Options{Send: true}, false, needsSink},
		{Check{NeedsMail: true, Slots: send}, Options{Send: true, Sink: sink}, false, ""},
		{Check{LoopbackOnly: true}, Options{Send: true, Slow: true, Sink: sink}, true, loopbackOnly},
		{Check{LoopbackOnly: true}, Options{}, false, ""},
		{Check{MaySend: true}, Options{}, true, maySend},
		{Check{MaySend: true}, Options{Send: true}, true, ""},
		{Check{MaySend: true}, Options{}, false, ""},
		{Check{Slow: true}, Options{}, false, needsSlow},
		{Check{Slow: true}, Options{Slow: true}, false, ""},
	} {
		got := tt.options.skipReason(&tt.check, tt.polite)
		expect.Same(t, fmt.Sprintf("%+v, %+v, polite %v", tt.check, tt.options, tt.polite), tt.want, got)
	}
}

// A polite run never takes more than the contract allows in a window.
func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget{}
		ask := func(n int) *Check { return &Check{Slots: map[contract.Policy]int{contract.AskPolicy: n}} }
		reserve := func(check *Check, mayWait bool) string { return b.reserve(t.Context(), check, mayWait) }
		for range contract.AskPolicy.Quota {
			expect.Same(t, "a free slot", "", reserve(ask(1), false))
			time.Sleep(time.Second)
		}
		expect.Same(t, "one more", spent(contract.AskPolicy), reserve(ask(1), false))
		others := map[contract.Policy]int{contract.ContactPolicy: 3, contract.TrialPolicy: 1}
		expect.Same(t, "other policies", "", reserve(&Check{Slots: others}, false))
		began := time.Now()
		expect.Same(t, "with waiting", "", reserve(ask(2), true))
		// The second counts for the window and the allowed difference of clocks.
		passed := time.Duration(contract.AskPolicy.Quota-1) * time.Second
		expect.Same(t, "waited", contract.AskPolicy.Window+settling-passed, time.Since(began))
		ended, stop := context.WithCancel(t.Context())
		stop()
		expect.Same(t, "interrupted", interrupted, b.reserve(ended, ask(contract.AskPolicy.Quota), true))
	})
}

func TestTargets(t *testing.T) {
	t.Parallel()
	for address, path := range map[string]string{"http://localhost:8080": "", "https://desk.example/front/": "/front"} {
		expect.Same(t, address, path, expect.Value(parseTarget(address))(t).Path)
	}
	for _, address := range []string{"localhost:8080", "ftp://desk.example", "http://", "http://a:b@desk.example",
		"http://desk.example?x=1", "http://desk.example?", "http://desk.example/#x", "http://%zz"} {
		if target, err := parseTarget(address); err == nil {
			t.Errorf("%s: %v, want an error", address, target)
		}
	}
}
