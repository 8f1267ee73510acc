package conform

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

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
		// The second question came a second after the first. It counts for the window and the allowed difference of clocks.
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
