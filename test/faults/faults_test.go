package faults

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/test/harness"
)

// whole is whether the whole suite runs.
var whole = os.Getenv("FRONTDESK_FAULTS") != ""

// seed decides every random choice, but not the order in which the machine runs things.
var seed = seedFrom(os.Getenv("FRONTDESK_FAULTS_SEED"))

func seedFrom(given string) uint64 {
	if n, err := strconv.ParseUint(given, 10, 64); err == nil {
		return n
	}
	return rand.Uint64()
}

func sized(short, long int) int {
	if whole {
		return long
	}
	return short
}

type chance struct {
	mu     sync.Mutex
	random *rand.Rand
}

func newChance(t *testing.T, salt uint64) *chance {
	t.Logf("seed %d (FRONTDESK_FAULTS_SEED)", seed)
	return &chance{random: rand.New(rand.NewPCG(seed, salt))}
}

func (c *chance) n(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.random.IntN(n)
}

// FRONTDESK_FAULTS_PROGRAM names another binary, such as that of an earlier commit.
var (
	folder string
	built  = sync.OnceValues(func() (string, error) {
		if given := os.Getenv("FRONTDESK_FAULTS_PROGRAM"); given != "" {
			return given, nil
		}
		binary := filepath.Join(folder, "frontdesk")
		if out, err := exec.Command("go", "build", "-o", binary, "../..").CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build: %w\n%s", err, out)
		}
		return binary, nil
	})
)

func program(t *testing.T) string {
	t.Helper()
	expect.SkipInRace(t, "the program is a process of its own, which is built without it")
	return expect.Value(built())(t)
}

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "frontdesk-faults-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// patience is much longer than anything ever takes, also on a very busy machine.
const patience = 2 * time.Minute

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	harness.Eventually(t, holds, func() string { return "waited in vain for " + what })
}

func long(t *testing.T) {
	t.Helper()
	if !whole {
		t.Skip("takes longer than a few seconds: make faults plays it")
	}
}

// fleet are instances of one service, each with its own caller.
type fleet struct {
	instances []*process
	callers   []*caller
}

func newFleet(t *testing.T, n int, s setup) *fleet {
	t.Helper()
	f := &fleet{}
	for range n {
		p := s.start(t)
		f.instances = append(f.instances, p)
		f.callers = append(f.callers, newCaller(t, p.url))
	}
	return f
}

func (c *caller) ask(body string, header ...string) answer {
	return c.send("POST", contract.PathAsk, body, header...)
}

func answerOf(t *testing.T, got answer) contract.Answer {
	t.Helper()
	var a contract.Answer
	if err := json.Unmarshal([]byte(got.body), &a); err != nil || got.status != 200 {
		t.Errorf("an ask is answered %d (%v): %s", got.status, got.err, got.body)
	}
	return a
}

// spread is a set of times; String summarizes it.
type spread []time.Duration

func (s spread) String() string {
	if len(s) == 0 {
		return "none"
	}
	slices.Sort(s)
	at := func(percent int) time.Duration { return s[(len(s)-1)*percent/100].Round(10 * time.Microsecond) }
	return fmt.Sprintf("%d, p50 %v, p99 %v, longest %v", len(s), at(50), at(99), at(100))
}

const withAdmin = "FRONTDESK_ADMIN_ADDR=127.0.0.1:0"

func (p *process) metric(t *testing.T, name string) string {
	t.Helper()
	_, text := p.admin(t, "/metrics")
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func entries(refunds string) string {
	return "fallback: I do not know.\nentries:\n" +
		"  - {id: refunds, question: Do you offer refunds?, answer: " + refunds + "}\n" +
		"  - {id: hours, question: When are you open?, answer: Always.}\n" +
		"  - {id: price, question: How much does it cost?, answer: Nothing.}\n"
}

// beyond is a question that the embedded selector does not answer.
const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

func withModel(t *testing.T, url string) []string {
	t.Helper()
	dir := harness.SmallContent(t)
	harness.Edit(t, dir, "faq.yaml", entries("Within 30 days."))
	return []string{
		"FRONTDESK_CONTENT=" + dir, "FRONTDESK_MODEL_URL=" + url,
		"FRONTDESK_MODEL_NAME=" + modeltest.Name, "FRONTDESK_MODEL_KEY=" + modeltest.Key,
	}
}
