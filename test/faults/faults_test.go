package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// whole is whether the whole suite runs.
var whole = os.Getenv("FRONTDESK_FAULTS") != ""

// seed decides every random choice. The order in which the machine runs goroutines and processes is not among them.
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

// built returns the path of the binary, which it builds in a folder that TestMain makes. FRONTDESK_FAULTS_PROGRAM names
// another one, such as that of an earlier commit.
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

// patience is how long a test waits for anything: much longer than it ever takes, also on a machine that is busy with a
// hundred other processes.
const patience = 2 * time.Minute

// eventually waits until something outside of this process holds, which sends no event.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	harness.Eventually(t, holds, func() string { return "waited in vain for " + what })
}
