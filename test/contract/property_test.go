package contract_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk/conform/mutants"
	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

const stepsOfSequence = 80

func fromEnv(t *testing.T, name, otherwise string) int {
	t.Helper()
	return expect.Value(strconv.Atoi(cmp.Or(os.Getenv(name), otherwise)))(t)
}

func sequence(seed int) []step {
	return source{rand.New(rand.NewPCG(uint64(seed), 0))}.steps(stepsOfSequence)
}

// Random sequences of several clients over every interface are answered as the model says. FRONTDESK_TEST_SEQUENCES
// runs more of them, FRONTDESK_TEST_SEED others.
func TestProperties(t *testing.T) {
	t.Parallel()
	first, n := fromEnv(t, "FRONTDESK_TEST_SEED", "1"), fromEnv(t, "FRONTDESK_TEST_SEQUENCES", "15")
	t.Logf("%d sequences of %d steps, seeds from %d on", n, stepsOfSequence, first)
	for seed := first; seed < first+n; seed++ {
		steps := sequence(seed)
		wrong := play(t, harness.Changes{}, steps)
		if wrong == nil {
			continue
		}
		steps, wrong = shrink(t, harness.Changes{}, steps[:wrong.step+1])
		t.Fatalf("seed %d: %s\n\nThe shortest sequence that fails:\n\n%s", seed, wrong.why, curlLines(steps))
	}
}

// They break each kind of rule that the model has. What finds every mutant is conform.
var mutantsOfProperties = []string{
	"four questions a minute", "ask_faq has a separate limit", "an invalid pilot request takes a slot",
	"a dry run of the tool is sent", "the digest of a preview is not checked", "Idempotency-Key is ignored",
	"a send is mailed twice", "a failed delivery is 200", "no hint",
}

// Only callers from an assistant's range could see a broken pool.
func TestPropertiesFindMutants(t *testing.T) {
	t.Parallel()
	expect.SkipInRace(t, "TestProperties plays the service without a fault")
	broken := map[string]harness.Changes{
		"a pool of 59 questions": {Limiters: func() routes.Limiters {
			l, ask := routes.NewLimiters(nil), contract.AskPolicy
			ask.Pool--
			l.Ask = limits.New(ask, nil)
			return l
		}},
		"no pool": {Wiring: func(w *app.Wiring) { w.Layers.Pools = nil }},
		"every name is believed": {Wiring: func(w *app.Wiring) {
			all := limits.Pool{Name: "openai", Prefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
			w.Layers.Pools = limits.NewPools([]limits.Pool{all}, nil, []byte("secret"))
		}},
	}
	for _, mutant := range mutants.All() {
		if slices.Contains(mutantsOfProperties, mutant.Name) {
			broken[mutant.Name] = mutant.Changes()
		}
	}
	expect.Same(t, "broken services", 3+len(mutantsOfProperties), len(broken))
	for name, b := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := 1; seed <= 5; seed++ {
				if wrong := play(t, b, sequence(seed)); wrong != nil {
					t.Logf("seed %d, step %d: %s", seed, wrong.step+1, wrong.why)
					return
				}
			}
			t.Errorf("the model does not catch %s", name)
		})
	}
}

// shrink drops steps, the last first, while the rest fails, then simplifies the others.
func shrink(t *testing.T, b harness.Changes, steps []step) ([]step, *played) {
	t.Helper()
	wrong := play(t, b, steps)
	try := func(left []step) {
		if now := play(t, b, left); now != nil {
			steps, wrong = left[:now.step+1], now
		}
	}
	for at := len(steps) - 1; at >= 0; at-- {
		if at < len(steps) && len(steps) > 1 {
			try(slices.Delete(slices.Clone(steps), at, at+1))
		}
	}
	for at := 0; at < len(steps); at++ {
		for _, plainer := range []func(*step){
			func(s *step) { s.after, s.patient = 0, false },
			func(s *step) { s.mail = mailStays },
			func(s *step) { s.times = 1 },
		} {
			if left := slices.Clone(steps); at < len(left) {
				plainer(&left[at])
				try(left)
			}
		}
	}
	return steps, wrong
}

func curlLines(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.after > 0 {
			fmt.Fprintf(&b, "sleep %g\n", s.after.Seconds())
		}
		if s.mail != mailStays {
			does := map[mailState]string{mailFails: "refuses every mail", mailWorks: "takes mail"}[s.mail]
			fmt.Fprintf(&b, "# the mail server %s\n", does)
		}
		if s.times > 1 {
			fmt.Fprintf(&b, "# %d of these at once\n", s.times)
		}
		fmt.Fprintf(&b, "curl -si --interface %s -X %s %s", addressOf(s.client), s.method, inQuotes(harness.Base+s.path))
		for _, name := range slices.Sorted(maps.Keys(s.header)) {
			fmt.Fprintf(&b, " -H %s", inQuotes(name+": "+s.header[name][0]))
		}
		if s.method != "GET" {
			fmt.Fprintf(&b, " --data-binary %s", inQuotes(s.body))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
