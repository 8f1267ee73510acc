package contract_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

// requestsEnv is the environment variable that says how many requests
// TestFuzzedRequests sends; seedEnv says from which seed.
const requestsEnv = "FRONTDESK_TEST_REQUESTS"

// fuzzers is how many requests run concurrently. All write to one disk, and a key that
// cannot be looked up within a second is a 500: more of them would test the disk of a
// busy machine.
const fuzzers = 4

// barrage collects the outcome of the requests to one service.
type barrage struct {
	d        *harness.Desk
	mailDown bool

	mu       sync.Mutex
	statuses map[string]int
	accepted map[string]bool // ids of inquiries that were answered
	faults   []string
}

// TestFuzzedRequests sends requests to a running service, most of them changed in the
// method, the path, the headers, the body or its framing. Every status must fit its
// request, only the mail server may cause a 5xx, every error must be complete, and only
// valid real sends may be mailed. FRONTDESK_TEST_REQUESTS sends more,
// FRONTDESK_TEST_SEED others.
func TestFuzzedRequests(t *testing.T) {
	t.Parallel()
	n, seed := fromEnv(t, requestsEnv, 2000), fromEnv(t, seedEnv, 1)
	up, down := newBarrage(t, false), newBarrage(t, true)
	var group sync.WaitGroup
	for worker := range fuzzers {
		group.Go(func() {
			g := newGrammar(seed, worker)
			for i := range n / fuzzers {
				b := up
				if i%20 == 0 {
					b = down
				}
				b.send(g)
			}
		})
	}
	group.Wait()
	for name, b := range map[string]*barrage{"mail works": up, "mail is down": down} {
		t.Logf("seed %d, %s: %s", seed, name, b.summary())
		for _, fault := range b.faults[:min(len(b.faults), 5)] {
			t.Errorf("seed %d, %s: %s", seed, name, fault)
		}
		b.checkAfterwards(t)
	}
}

func newBarrage(t *testing.T, mailDown bool) *barrage {
	d := harness.Start(t, func(s *config.Settings) {
		s.Origins = []string{ownOrigin}
		if mailDown {
			s.SMTPURL = "smtp://127.0.0.1:1?tls=none"
		}
	})
	return &barrage{d: d, mailDown: mailDown, statuses: map[string]int{}, accepted: map[string]bool{}}
}

func (b *barrage) summary() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(b.statuses)) {
		parts = append(parts, fmt.Sprintf("%s: %d", status, b.statuses[status]))
	}
	return strings.Join(parts, ", ") + fmt.Sprintf("; %d inquiries accepted", len(b.accepted))
}

var inquiryID = regexp.MustCompile(`inq_[a-z0-9]{26}`)

// checkAfterwards checks the mails and the log.
func (b *barrage) checkAfterwards(t *testing.T) {
	t.Helper()
	mailed := map[string]bool{}
	for _, mail := range b.d.Mail.Messages() {
		id := inquiryID.FindString(string(mail.Data))
		if id == "" || mailed[id] {
			t.Errorf("a mail without an inquiry, or the second one of an inquiry: %s", mail.Data)
		}
		mailed[id] = true
	}
	if !maps.Equal(mailed, b.accepted) {
		t.Errorf("%d inquiries were mailed and %d accepted: they differ", len(mailed), len(b.accepted))
	}
	log := b.d.Log.String()
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"status":500`) && !(strings.Contains(line, `"error":"internal_error: `) && strings.Contains(line, "records: ") && strings.Contains(line, "context deadline exceeded")) {
			t.Errorf("a 500 that is not a slow database: %s", line)
		}
	}
	for _, private := range []string{"ada@example.com", "Analytical", "goroutine ", "panic"} {
		if strings.Contains(log, private) {
			t.Errorf("%q is in the log", private)
		}
	}
}

// send sends one request and records what is wrong with the answer.
func (b *barrage) send(g grammar) {
	f := g.request()
	wire := f.wire()
	answers, err := talk(b.d, g.address(), wire, f.length > len(f.body))
	b.mu.Lock()
	defer b.mu.Unlock()
	var fault string
	switch {
	case err != nil && f.malformed(wire):
		b.statuses["refused by net/http and lost"]++ // it closes while the test still writes
	case err != nil:
		fault = err.Error()
	case answers[0].Header.Get(contract.HeaderRequestID) == "":
		b.statuses[fmt.Sprint(answers[0].StatusCode)+" of net/http"]++
		fault = netHTTPFault(f, answers[0])
	default:
		b.statuses[fmt.Sprint(answers[0].StatusCode)]++
		fault = b.fault(f, answers[0])
	}
	if fault != "" {
		b.faults = append(b.faults, fmt.Sprintf("%s\n%.700q", fault, wire))
	}
}

// fault says what is wrong with an answer.
func (b *barrage) fault(f *rawRequest, a harness.Answer) string {
	if ids := inquiryID.FindAll(a.Text, -1); ids != nil && f.method == http.MethodPost && a.StatusCode == http.StatusOK {
		b.accepted[string(ids[0])] = true
		if !wantsSending(f) {
			return "an inquiry is accepted that was not sent for real"
		}
	}
	if fault := b.misplaced(f, a); fault != "" {
		return fault
	}
	inV1 := strings.HasPrefix(f.target, contract.PrefixV1+"/")
	api := inV1 || strings.HasPrefix(f.target, contract.PrefixAPI+"/") || f.target == contract.PathMCP
	switch kind := a.Header.Get("Content-Type"); {
	case inV1 && a.Header.Get(contract.HeaderAPIVersion) != contract.APIVersion:
		return "no " + contract.HeaderAPIVersion
	case f.method == http.MethodHead:
		return ""
	case !api && (strings.HasPrefix(kind, contract.TypeHTML) || strings.HasPrefix(kind, contract.TypeMarkdown)):
		return "" // a page or an error page
	}
	return faultOf(a.StatusCode, a.Header, a.Text)
}
