package faults

import (
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const senders = 64

// One of three conversations fails: a caller gives up once in a hundred thousand requests.
const tries = 10

// login makes a mail server ask for one, which the stage AUTH needs.
var login = mailtest.Options{User: "desk", Password: "secret"}

type scene struct {
	name      string
	options   mailtest.Options
	breaks    []mailtest.Stage // at each of these a conversation breaks with a probability of 5 %
	total     int              // without kills: how many are sent
	kills     int              // how often an instance is killed and started again
	instances int              // on PostgreSQL; 0 for one on SQLite
}

// The mail server breaks conversations at every stage, and instances are killed (ledger.check). Scenes on SQLite do not
// run in parallel: on a busy machine the database may take too long for a request.
func TestNothingLost(t *testing.T) {
	for _, s := range []scene{
		{name: "mail fails", options: login, breaks: everyStage, total: sized(200, 9000)},
		{name: "mail fails with STARTTLS", options: mailtest.Options{Security: mailtest.StartTLS}, total: sized(22, 1000),
			// After it no fault can be put in.
			breaks: []mailtest.Stage{mailtest.Greeting, mailtest.Hello, mailtest.STARTTLS}},
		{name: "killed", options: login, kills: sized(3, 45)},
		{name: "two instances, killed while mail fails", options: login, breaks: everyStage, kills: 6, instances: 2},
		{name: "three instances, killed while mail fails", options: login, breaks: everyStage, kills: 6, instances: 3},
	} {
		t.Run(s.name, func(t *testing.T) {
			if s.instances > 0 {
				t.Parallel()
				long(t)
			}
			s.play(t)
		})
	}
}

type herd struct {
	scene
	*chance
	ledger
	setup setup
	mails *mailtest.Server
	ended atomic.Bool // no request is begun or repeated any more

	hanging chan struct{} // receives an item when a conversation hangs
	mu      sync.Mutex
	fleet   *fleet
	until   int // conversations until one hangs; 0 for none
	killed  int
	settled map[int]int // the mails of requests that were recorded as sent after a kill
}

func (s scene) play(t *testing.T) {
	h := &herd{scene: s, chance: newChance(t, uint64(len(s.name))), mails: mailtest.Listen(t, s.options),
		hanging: make(chan struct{}, 1), settled: map[int]int{}}
	h.setup = setup{dir: harness.DataFolder(t), mail: h.mails}
	if s.options.Security == mailtest.StartTLS {
		h.setup.environ = []string{"SSL_CERT_FILE=" + h.mails.RootsFile()}
	}
	var d database
	if s.instances > 0 {
		d = newDatabase(t)
		h.setup.dir, h.setup.database = "", d.URL
	}
	h.fleet = newFleet(t, max(1, s.instances), h.setup)
	h.mails.SetPlan(h.plan)
	var callers sync.WaitGroup
	workers := senders
	if s.kills > 0 {
		workers = 8
	}
	for range workers {
		callers.Go(h.sendAll)
	}
	for range s.kills {
		h.killOne(t)
	}
	if s.kills > 0 {
		h.ended.Store(true)
	}
	callers.Wait()
	h.mails.SetPlan(nil)
	h.recover(t, d)
	for _, n := range h.unaccepted() { // a caller with a key repeats its request until it is accepted
		h.try(n)
	}
	for _, p := range h.fleet.instances {
		p.stop()
	}
	h.mails.WaitIdle()
	sum := h.check(t, h.mails, h.setup.stored(t), h.settled)
	// On a busy machine the database is too slow for some.
	if s.kills == 0 && (sum.unanswered > 0 || sum.unstored > sum.tries/2) || s.total > 1000 && sum.unconfirmed == 0 {
		t.Errorf("too much was refused, or nothing was tried: %+v", sum)
	}
}

func (h *herd) sendAll() {
	for !h.ended.Load() {
		n := h.next()
		for range tries {
			if h.try(n); h.request(n).key == "" || h.request(n).accepted() || h.ended.Load() {
				break
			}
		}
		if h.total > 0 && n+1 >= h.total {
			h.ended.Store(true)
		}
	}
}

// try sends to an instance that listens, as a load balancer does. A request that net/http has sent again is not
// repeated: the killed instance may have received it. An answer without a version comes from another program on the
// freed port.
func (h *herd) try(n int) {
	var got answer
	isOther := func() bool { return got.err == nil && got.header.Get(contract.HeaderAPIVersion) == "" }
	for ok := false; !ok; ok = !isOther() && (got.again || !errors.Is(got.err, syscall.ECONNREFUSED)) {
		h.mu.Lock()
		c := h.fleet.callers[h.n(len(h.fleet.callers))]
		h.mu.Unlock()
		got = c.contact(mark(n), h.request(n).key)
	}
	h.note(n, got)
}

func (h *herd) plan() mailtest.Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.until--; h.until == 0 {
		h.hanging <- struct{}{}
		return mailtest.Fault{Stage: everyStage[h.killed%len(everyStage)], Action: mailtest.Hang}
	}
	return h.mailFaultAt(h.breaks)
}

// killOne ends an instance while a conversation hangs, at another stage each time, and starts another.
func (h *herd) killOne(t *testing.T) {
	t.Helper()
	h.mu.Lock()
	h.until = 1 + h.n(24)
	h.mu.Unlock()
	<-h.hanging
	if h.breaks == nil { // then it is the only fault
		h.mails.WaitFaults(h.killed + 1)
	}
	i := h.n(len(h.fleet.instances))
	h.fleet.instances[i].kill()
	for _, one := range h.setup.stored(t) {
		if n := markOf(t, one.Message); one.State == records.Sent && h.settled[n] == 0 {
			h.settled[n] = -1
		}
	}
	for n, mails := range arrived(t, h.mails) {
		if h.settled[n] < 0 {
			h.settled[n] = len(mails)
		}
	}
	p := h.setup.start(t)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.killed++
	h.fleet.instances[i], h.fleet.callers[i] = p, newCaller(t, p.url)
}

// An instance that is the only one does not wait for leases to end; those of the others are ended here.
func (h *herd) recover(t *testing.T, d database) {
	t.Helper()
	if h.instances > 0 {
		d.execute(`UPDATE inquiries SET lease_until = 1 WHERE state = 'pending'`)
	}
	began := time.Now()
	h.setup.waitStored(t, "what was interrupted to be sent", pending)
	expect.AtMost(t, "what was interrupted is sent after",
		30*time.Second, time.Since(began))
}
