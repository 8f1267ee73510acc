package conform

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	sink, send := &Sink{}, map[contract.Policy]int{contract.ContactPolicy: 1}
	for _, tt := range []struct {
		name    string
		check   Check
		options Options
		polite  bool
		want    string
	}{
		{"nothing needed", Check{}, Options{}, true, ""},
		{"send", Check{Slots: send}, Options{}, false, needsSend},
		{"send allowed", Check{Slots: send}, Options{Send: true}, true, ""},
		{"trial", Check{Slots: map[contract.Policy]int{contract.TrialPolicy: 1}}, Options{}, false, needsSend},
		{"mail", Check{NeedsMail: true}, Options{}, false, needsSink},
		{"send and mail", Check{NeedsMail: true, Slots: send}, Options{Send: true}, false, needsSink},
		{"mail with a sink", Check{NeedsMail: true, Slots: send}, Options{Send: true, Sink: sink}, false, ""},
		{"loopback only, elsewhere", Check{LoopbackOnly: true}, Options{Send: true, Slow: true, Sink: sink}, true, loopbackOnly},
		{"loopback only, on loopback", Check{LoopbackOnly: true}, Options{}, false, ""},
		{"risky elsewhere", Check{MaySend: true}, Options{}, true, maySend},
		{"risky with --send", Check{MaySend: true}, Options{Send: true}, true, ""},
		{"risky on loopback", Check{MaySend: true}, Options{}, false, ""},
		{"slow", Check{Slow: true}, Options{}, false, needsSlow},
		{"slow allowed", Check{Slow: true}, Options{Slow: true}, false, ""},
	} {
		expect.Same(t, tt.name+": reason", tt.want, tt.options.skipReason(&tt.check, tt.polite))
	}
}

// A polite run of two minutes never takes more than the contract
// allows in a window.
func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget{}
		ask := func(n int) *Check { return &Check{Slots: map[contract.Policy]int{contract.AskPolicy: n}} }
		reserve := func(check *Check, mayWait bool) string { return b.reserve(t.Context(), check, mayWait) }
		for range contract.AskPolicy.Quota {
			if reason := reserve(ask(1), false); reason != "" {
				t.Fatalf("a free slot is refused: %s", reason)
			}
			time.Sleep(time.Second)
		}
		expect.Same(t, "one more", spent(contract.AskPolicy), reserve(ask(1), false))
		expect.Same(t, "another policy", "", reserve(&Check{Slots: map[contract.Policy]int{contract.ContactPolicy: 3, contract.TrialPolicy: 1}}, false))
		began := time.Now()
		expect.Same(t, "with waiting", "", reserve(ask(2), true))
		// The second question came a second after the first. It counts for the window and the allowed difference of clocks.
		passed := time.Duration(contract.AskPolicy.Quota-1) * time.Second
		if took, want := time.Since(began), contract.AskPolicy.Window+settling-passed; took != want {
			t.Errorf("waited %v, want %v", took, want)
		}
		ended, stop := context.WithCancel(t.Context())
		stop()
		expect.Same(t, "interrupted", interrupted, b.reserve(ended, ask(contract.AskPolicy.Quota), true))
	})
}

func TestTargets(t *testing.T) {
	t.Parallel()
	for address, path := range map[string]string{
		"http://localhost:8080": "", "https://desk.example/front/": "/front", "localhost:8080": "refused", "ftp://desk.example": "refused", "http://": "refused",
		"http://a:b@desk.example": "refused", "http://desk.example?x=1": "refused", "http://desk.example/#x": "refused", "http://%zz": "refused",
	} {
		if target, err := parseTarget(address); (err != nil) != (path == "refused") || err == nil && target.Path != path {
			t.Errorf("%s: %v, %v; want %q", address, target, err, path)
		}
	}
}
