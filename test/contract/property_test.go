package contract_test

import (
	"cmp"
	"math/rand/v2"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"testing"

	"frontdesk/conform/mutants"
	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// Environment variables of the random tests: how many sequences they run, and the first seed.
const (
	sequencesEnv = "FRONTDESK_TEST_SEQUENCES"
	seedEnv      = "FRONTDESK_TEST_SEED"
)

const stepsOfSequence = 80

func fromEnv(t *testing.T, name, otherwise string) int {
	t.Helper()
	return expect.Value(strconv.Atoi(cmp.Or(os.Getenv(name), otherwise)))(t)
}

func sequence(seed int) []step {
	return source{rand.New(rand.NewPCG(uint64(seed), 0))}.steps(stepsOfSequence)
}

// TestProperties sends random sequences of valid and invalid requests of several clients over every interface of the
// service, and compares each answer with the model of the contract. FRONTDESK_TEST_SEQUENCES runs more of them,
// FRONTDESK_TEST_SEED others.
func TestProperties(t *testing.T) {
	t.Parallel()
	first, n := fromEnv(t, seedEnv, "1"), fromEnv(t, sequencesEnv, "15")
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

// mutantsOfProperties break each kind of rule that the model has. What finds every mutant is conform.
var mutantsOfProperties = []string{
	"four questions a minute", "ask_faq has a separate limit", "an invalid pilot request takes a slot", "a dry run of the tool is sent",
	"the digest of a preview is not checked", "Idempotency-Key is ignored", "a send is mailed twice", "a failed delivery is 200", "no hint",
}

// The model catches broken limits, dry runs, previews, keys and problem records, and broken pools, which only callers
// from an assistant's range could see.
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
