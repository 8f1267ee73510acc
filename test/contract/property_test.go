package contract_test

import (
	"frontdesk/conform/mutants"
	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/routes"
	"frontdesk/test/harness"
	"math/rand/v2"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Environment variables of the random tests: how many sequences they run, and the first
// seed.
const (
	sequencesEnv = "FRONTDESK_TEST_SEQUENCES"
	seedEnv      = "FRONTDESK_TEST_SEED"
)

const stepsOfSequence = 80

func fromEnv(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func sequence(seed int) []step {
	return source{rand.New(rand.NewPCG(uint64(seed), 0))}.steps(stepsOfSequence)
}

// TestProperties sends random sequences of valid and invalid requests of several clients
// over every interface of the service, and compares each answer with the model of the
// contract. FRONTDESK_TEST_SEQUENCES runs more of them, FRONTDESK_TEST_SEED others.
func TestProperties(t *testing.T) {
	t.Parallel()
	first, n := fromEnv(t, seedEnv, 1), fromEnv(t, sequencesEnv, 15)
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

// mutantsOfProperties break each kind of rule that the model has. What finds every mutant is
// conform.
var mutantsOfProperties = []string{
	"four questions a minute", "ask_faq has a separate limit", "an invalid pilot request takes a slot", "a dry run of the tool is sent",
	"the digest of a preview is not checked", "Idempotency-Key is ignored", "a send is mailed twice", "a failed delivery is 200", "no hint",
}

func goesWrong(t *testing.T, name string) (harness.Changes, []step) {
	t.Helper()
	all := mutants.All()
	i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("there is no mutant %s", name)
	}
	b := all[i].Changes()
	return b, isCaught(t, name, b)
}

// isCaught runs sequences against a broken service until one fails, and returns it.
func isCaught(t *testing.T, name string, b harness.Changes) []step {
	t.Helper()
	expect.SkipInRace(t, "TestProperties plays the service without a fault")
	for seed := 1; seed <= 5; seed++ {
		steps := sequence(seed)
		if wrong := play(t, b, steps); wrong != nil {
			t.Logf("seed %d, step %d: %s", seed, wrong.step+1, wrong.why)
			return steps[:wrong.step+1]
		}
	}
	t.Fatalf("the model does not catch %s", name)
	return nil
}

// The model catches broken pools, which only
// callers from an assistant's range could see.
func TestPropertiesFindBrokenPools(t *testing.T) {
	t.Parallel()
	quota := func(change func(ask, contact *contract.Policy)) func() routes.Limiters {
		return func() routes.Limiters {
			l, ask, contact := routes.NewLimiters(nil), contract.AskPolicy, contract.ContactPolicy
			change(&ask, &contact)
			l.Ask, l.Contact = limits.New(ask, nil), limits.New(contact, nil)
			return l
		}
	}
	pools := func(name, prefix string) func(*app.Wiring) {
		return func(w *app.Wiring) {
			w.Layers.Pools = limits.NewPools([]limits.Pool{{Name: name, Prefixes: []netip.Prefix{netip.MustParsePrefix(prefix)}}}, nil, []byte("secret"))
		}
	}
	for name, b := range map[string]harness.Changes{
		"a pool of 59 questions":         {Limiters: quota(func(ask, _ *contract.Policy) { ask.Pool-- })},
		"a pool of 13 requests":          {Limiters: quota(func(_, contact *contract.Policy) { contact.Pool++ })},
		"people without a limit":         {Limiters: quota(func(ask, _ *contract.Policy) { ask.Quota = 9 })},
		"no pool":                        {Wiring: func(w *app.Wiring) { w.Layers.Pools = nil }},
		"no name is believed":            {Wiring: pools("a network", "127.0.1.0/24")},
		"every name is believed":         {Wiring: pools("openai", "127.0.0.0/8")},
		"each address of a pool has one": {Wiring: pools("openai", "127.0.1.5/32")},
		"people are without a limit": {Wiring: func(w *app.Wiring) {
			w.Layers.Pools = limits.NewPools(nil, []netip.Prefix{netip.MustParsePrefix("127.0.1.0/24")}, nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isCaught(t, name, b)
		})
	}
}

// The model catches broken limits, dry runs,
// previews, keys and problem records.
func TestPropertiesFindMutants(t *testing.T) {
	t.Parallel()
	for _, name := range mutantsOfProperties {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goesWrong(t, name)
		})
	}
}
