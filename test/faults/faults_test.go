package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/server"
	"frontdesk/mailer"
	"frontdesk/test/harness"
)

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

// callers numbers the client addresses, so that no request counts against another's limits.
var callers atomic.Uint32

type caller struct {
	url  string
	http *http.Client
}

// newCaller reuses no connection that was idle for long: the service closes one that brings no request within
// server.ReadHeaderTimeout, and net/http sends no request again that has just taken it.
func newCaller(t *testing.T, url string) *caller {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: patience}).DialContext,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     server.ReadHeaderTimeout / 2,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &caller{url: url, http: &http.Client{Transport: transport, Timeout: patience}}
}

func (c *caller) leave() { c.http.CloseIdleConnections() }

// The status is 0 without an answer.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
	took   time.Duration
	again  bool // net/http sent the request again by itself, as it does with an Idempotency-Key
}

func (c *caller) send(method, path, body string, header ...string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var conn httptrace.GotConnInfo
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { conn = got }})
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewBufferString(body))
	if err != nil {
		return answer{err: err}
	}
	n := callers.Add(1)
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n)))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	again, rewind := false, request.GetBody
	request.GetBody = func() (io.ReadCloser, error) {
		again = true
		return rewind()
	}
	start := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		took := time.Since(start)
		err = fmt.Errorf("%w after %v, on a connection that was idle for %v", err, took, conn.IdleTime)
		return answer{err: err, took: took, again: again}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{err: err, took: time.Since(start)}
	}
	if response.Close { // net/http removes the header that says so
		response.Header.Set("Connection", "close")
	}
	return answer{response.StatusCode, response.Header, string(text), nil, time.Since(start), again}
}

func pilotRequest(mark string, dryRun bool) string {
	body, _ := json.Marshal(contract.PilotRequest{ // cannot fail: it is text
		Name: "Ada Lovelace", Business: "Analytical Engines Ltd", Email: "ada@example.com",
		Message: "We would like to know more. " + mark, DryRun: dryRun,
	})
	return string(body)
}

func (c *caller) contact(mark, key string) answer {
	var header []string
	if key != "" {
		header = []string{contract.HeaderIdempotencyKey, key}
	}
	return c.send("POST", contract.PathContact, pilotRequest(mark, false), header...)
}

// Anything but a real pilot request is answered with 200.
func (c *caller) checkRest(t *testing.T) {
	t.Helper()
	for _, request := range soakRoutes[:4] {
		got := c.send(request.method, request.path, request.body)
		if got.status != 200 {
			t.Errorf("%s %s: %d %v, want 200: %s", request.method, request.path, got.status, got.err, got.body)
		}
		if got.took >= mailer.SendTimeout { // it has waited for a mail server
			t.Errorf("%s %s took %v", request.method, request.path, got.took)
		}
	}
}

func wantCode(t *testing.T, got answer, status int, code contract.Code) {
	t.Helper()
	var problem contract.Problem
	_ = json.Unmarshal([]byte(got.body), &problem) // what is no JSON has no code
	if got.status != status || problem.Code != code {
		t.Fatalf("the answer is %d %q (%v), want %d %q: %s", got.status, problem.Code, got.err, status, code, got.body)
	}
}
