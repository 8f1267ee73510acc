package faults

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

// What an instance logs when it leaves Redis, and when it comes back to it.
const (
	leavesRedis = "cannot use Redis"
	usesRedis   = "Redis works again:"
)

// redisDown is a way in which Redis fails and works again.
type redisDown struct {
	name        string
	begin, mend func(t *testing.T, server *programs.Server, path *wire)
	atStart     bool          // it fails before the instances start
	lasts       time.Duration // 500 ms when zero
	noticed     bool          // it must be: Redis is of no use meanwhile
	flaps       bool          // it comes and goes
}

func delayed(d time.Duration) func(*testing.T, *programs.Server, *wire) {
	return func(_ *testing.T, _ *programs.Server, path *wire) { path.delay.Store(int64(d / 2)) }
}

// memory sets how much Redis may hold.
func memory(limit string) func(*testing.T, *programs.Server, *wire) {
	return func(t *testing.T, server *programs.Server, _ *wire) {
		t.Helper()
		client := redis.NewClient(&redis.Options{Addr: server.Addr})
		defer client.Close()
		expect.OK(t, client.ConfigSet(t.Context(), "maxmemory", limit).Err())
	}
}

func stopIt(_ *testing.T, s *programs.Server, _ *wire)  { s.Stop() }
func startIt(_ *testing.T, s *programs.Server, _ *wire) { s.Start() }

// redisDowns are the faults of Redis.
func redisDowns() []redisDown {
	stopFlapping := make(chan struct{})
	return []redisDown{
		{name: "down at the start", begin: stopIt, mend: startIt, atStart: true, noticed: true},
		{name: "down later", begin: stopIt, mend: startIt, noticed: true},
		{name: "frozen", noticed: true,
			begin: func(_ *testing.T, s *programs.Server, _ *wire) { s.Freeze() },
			mend:  func(_ *testing.T, s *programs.Server, _ *wire) { s.Thaw() }},
		{name: "full", begin: memory("64kb"), mend: memory("64mb"), noticed: true},
		{name: "50 ms away", begin: delayed(50 * time.Millisecond), mend: delayed(0), lasts: 5 * time.Second},
		{name: "200 ms away", begin: delayed(200 * time.Millisecond), mend: delayed(0), noticed: true},
		{name: "flapping", lasts: 10 * time.Second, noticed: true, flaps: true,
			begin: func(_ *testing.T, _ *programs.Server, path *wire) { go path.flap(100*time.Millisecond, stopFlapping) },
			mend:  func(*testing.T, *programs.Server, *wire) { close(stopFlapping) }},
	}
}

// TestRedisFails makes Redis fail in each way and work again, while one client sends two
// instances more than its quota all the time and others ask once. It does not run in
// parallel with others: on a busy machine Redis is slow without any fault.
func TestRedisFails(t *testing.T) {
	long(t)
	for _, down := range redisDowns() {
		t.Run(down.name, func(t *testing.T) {
			t.Parallel()
			down.play(t)
		})
	}
}

func (d redisDown) play(t *testing.T) {
	server := programs.Redis(t)
	path := newWire(t, server.Addr)
	if d.atStart {
		d.begin(t, server, path)
	}
	f := newFleet(t, 2, setup{environ: []string{"FRONTDESK_REDIS_URL=redis://" + path.addr, withAdmin}})
	start, crowd := time.Now(), newCrowd(f)
	if !d.atStart {
		<-crowd.each
		d.begin(t, server, path)
	}
	if d.noticed {
		f.wantLines(t, leavesRedis)
	}
	if store := f.instances[0].metric(t, `frontdesk_limiter_store{store="memory"}`); d.noticed && !d.flaps && store != "1" {
		t.Errorf("the metrics do not show that the instance limits by itself: %q", store)
	}
	<-time.After(max(d.lasts, 500*time.Millisecond)) // of the fault
	d.mend(t, server, path)
	if d.noticed {
		f.wantLines(t, usesRedis)
	}
	crowd.stop()

	took := time.Since(start)
	if took > contract.AskPolicy.Window {
		t.Skipf("the machine is too slow: the fault took %v, longer than a window", took)
	}
	crowd.check(t, contract.AskPolicy.Quota*len(f.instances))
	for i, p := range f.instances {
		moves := p.redisMoves(t)
		t.Logf("instance %d has left Redis %d times", i, moves)
		// It stays away for five seconds each time.
		if most := 1 + int(took/(5*time.Second)); moves > most {
			t.Errorf("instance %d has left Redis %d times in %v, want %d at most", i, moves, took, most)
		}
	}
}

// wantLines waits until every instance has logged something.
func (f *fleet) wantLines(t *testing.T, line string) {
	t.Helper()
	for _, p := range f.instances {
		eventually(t, line, func() bool { return strings.Contains(p.log.String(), line) })
	}
}

// redisMoves is how often an instance has left Redis. It fails the test when one
// move is logged twice.
func (p *process) redisMoves(t *testing.T) (moves int) {
	t.Helper()
	away := false
	for line := range strings.Lines(p.log.String()) {
		leaves, returns := strings.Contains(line, leavesRedis), strings.Contains(line, usesRedis)
		if leaves && away || returns && !away {
			t.Errorf("one move is logged twice: %s", line)
		}
		if leaves {
			moves++
		}
		away = leaves || away && !returns
	}
	return moves
}

// crowd sends questions to all instances until it is stopped: one client all the time,
// and with each of its questions a new client sends one.
type crowd struct {
	each chan struct{} // receives an item after a round of both if it is read
	end  chan struct{}
	done sync.WaitGroup

	mu       sync.Mutex
	passed   int // of the one client
	statuses map[int]int
	took     spread // of all
	shown    string // an answer that no client should get
}

func newCrowd(f *fleet) *crowd {
	c := &crowd{each: make(chan struct{}), end: make(chan struct{}), statuses: map[int]int{}}
	greedy := newAddr()
	for _, caller := range f.callers {
		c.done.Go(func() { c.askOn(caller, greedy) })
	}
	return c
}

func (c *crowd) askOn(caller *caller, greedy string) {
	beat := time.NewTicker(20 * time.Millisecond)
	defer beat.Stop()
	for {
		c.note(caller.ask(plain, from(greedy)...), true)
		c.note(caller.ask(plain), false)
		select {
		case <-c.end:
			return
		case c.each <- struct{}{}:
		case <-beat.C:
		}
	}
}

func (c *crowd) note(got answer, greedy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took = append(c.took, got.took)
	switch {
	case greedy && got.status == http.StatusOK:
		c.passed++
	case greedy && got.status == http.StatusTooManyRequests:
	default:
		c.statuses[got.status]++
		if got.status != http.StatusOK {
			c.shown = got.body
		}
	}
}

func (c *crowd) stop() {
	close(c.end)
	c.done.Wait()
}

// check checks that every new client was answered, and the one client at most so often.
func (c *crowd) check(t *testing.T, most int) {
	t.Helper()
	t.Logf("%d of the one client passed, quota %d; all asks: %v", c.passed, contract.AskPolicy.Quota, c.took)
	if c.passed < contract.AskPolicy.Quota || c.passed > most {
		t.Errorf("%d of one client passed, want %d to %d", c.passed, contract.AskPolicy.Quota, most)
	}
	if len(c.statuses) != 1 || c.statuses[http.StatusOK] == 0 {
		t.Errorf("answers by status: %v, want only 200: %s", c.statuses, c.shown)
	}
}
