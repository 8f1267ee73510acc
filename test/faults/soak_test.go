package faults

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const (
	soakFault    = 5 * time.Second        // how long a fault lasts
	soakBeat     = 100 * time.Millisecond // between two requests to an instance
	soakInFlight = 128                    // requests of a service that may be under way
	soakFlood    = 500                    // connections of a flood
)

// soakRoutes are answered 200 whatever fails. Only feedback, which is stored, is 500 while the database is down.
var soakRoutes = []struct{ method, path, body string }{
	{"GET", contract.PathHealth, ""},
	{"GET", contract.PathCatalog, ""},
	{"POST", contract.PathAsk, `{"q":"How much does it cost?"}`},
	{"POST", contract.PathContact, pilotRequest("preview", true)}, // the first four suffice in other tests
	{"GET", contract.PathOpenAPI, ""},
	{"GET", contract.PathHome, ""},
	{"GET", contract.PathFAQ, ""},
	{"GET", contract.PathContactPage, ""},
	{"GET", contract.PathKeyDirectory, ""},
	{"POST", contract.PathFeedback, `{"helpful":false,"q":"Do you sell ships?"}`},
	{"POST", contract.PathMCP, harness.RPC("tools/list", "")},
	{"POST", contract.PathWorkspaceMCP, harness.RPC("tools/list", "")},
}

type soaked struct {
	name    string
	setup   setup
	steady  int // the instances before this one are never restarted
	chance  *chance
	ledger  ledger
	crowded atomic.Bool // more connections than there are places: one that is idle may lose its own

	traffic sync.RWMutex // each request holds it for reading
	mu      sync.Mutex
	fleet   *fleet
	wrong   []string         // answers that no caller should get
	evicted int              // requests to a steady instance that got no answer while it was crowded
	samples map[string][]int // of the first instance while no request is under way
}

// The first steady ones of n instances are never restarted.
func newSoaked(t *testing.T, name string, n, steady int, s setup) *soaked {
	t.Helper()
	s.mail = listenMail(t)
	s.environ = append(s.environ, withAdmin, "FRONTDESK_TRUSTED_PROXIES=127.0.0.1/32") // floods come from elsewhere
	if megabytes, err := strconv.ParseInt(os.Getenv("FRONTDESK_SOAK_MEMORY"), 10, 64); err == nil {
		s.machine = quota{memory: megabytes << 20, cpu: 100}
		s.environ = append(s.environ, "FRONTDESK_ENCODER=on") // as on a machine of that size
	}
	return &soaked{name: name, setup: s, steady: steady, chance: newChance(t, 200), fleet: newFleet(t, n, s),
		samples: map[string][]int{}}
}

func (s *soaked) load(stop <-chan struct{}) {
	beat := time.NewTicker(soakBeat)
	defer beat.Stop()
	var group sync.WaitGroup
	defer group.Wait()
	slots := make(chan struct{}, soakInFlight)
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-beat.C:
		}
		for i := range s.fleet.instances { // their number never changes
			select {
			case slots <- struct{}{}:
			default: // as many as that are waiting
				continue
			}
			group.Go(func() {
				defer func() { <-slots }()
				s.traffic.RLock()
				defer s.traffic.RUnlock()
				s.request(n, i)
			})
		}
	}
}

// An instance that is being restarted may give no answer.
func (s *soaked) request(n, i int) {
	what, stored := "", false
	var got answer
	switch n % 10 {
	case 0, 1, 2, 3:
		got = s.contact(s.ledger.next(), i)
		what, stored = "pilot request", got.status == 502
	case 4:
		what, got = "question for the model", s.caller(i).ask(harness.Question(fmt.Sprintf("%s %d.%d?", beyond, n, i)))
	default:
		route := soakRoutes[s.chance.n(len(soakRoutes))]
		what, got = route.path, s.caller(i).send(route.method, route.path, route.body)
	}
	stored = stored || got.status == 500 && (what == contract.PathFeedback || what == "pilot request")
	if got.status == 200 || stored || got.status == 0 && i >= s.steady {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if got.status == 0 && s.crowded.Load() {
		s.evicted++
		return
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s: instance %d, %s: %d %v %s",
		time.Now().Format(time.TimeOnly), i, what, got.status, got.err, got.body))
}

func (s *soaked) caller(i int) *caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fleet.callers[i]
}

func (s *soaked) contact(n, i int) answer {
	key := s.ledger.request(n).key
	got := s.caller(i).contact(mark(n), key)
	for errors.Is(got.err, syscall.ECONNREFUSED) {
		if got.again { // the first time it may have reached the instance that was killed
			s.ledger.note(n, got)
		}
		<-time.After(soakBeat)
		i = (i + 1) % len(s.fleet.instances)
		got = s.caller(i).contact(mark(n), key)
	}
	s.ledger.note(n, got)
	return got
}

func (s *soaked) settle(t *testing.T, after string) {
	t.Helper()
	until := func(what string, holds func() bool) { eventually(t, s.name+", after "+after+": "+what, holds) }
	for i := range s.fleet.instances {
		for _, route := range soakRoutes {
			until(fmt.Sprintf("instance %d: %s", i, route.path), func() bool {
				return s.caller(i).send(route.method, route.path, route.body).status == 200
			})
		}
		until(fmt.Sprintf("instance %d accepts a pilot request", i), func() bool {
			return s.contact(s.ledger.next(), i).status == 200
		})
	}
	s.traffic.Lock() // what is under way has ended
	defer s.traffic.Unlock()
	for _, n := range s.ledger.unaccepted() {
		until(fmt.Sprintf("request %d is accepted under its key", n), func() bool { return s.contact(n, 0).status == 200 })
	}
}

// rest samples what the first instance uses while nothing is pending.
func (s *soaked) rest(t *testing.T) {
	t.Helper()
	s.traffic.Lock()
	defer s.traffic.Unlock()
	s.setup.waitStored(t, s.name+": nothing is pending", pending) // a lease lasts a minute
	if s.steady == 0 {
		return
	}
	s.caller(0).leave()
	s.setup.mail.WaitIdle()
	<-time.After(time.Second) // for its server to notice
	for name := range soakGrowth {
		value, err := strconv.ParseFloat(s.fleet.instances[0].metric(t, name), 64)
		if err != nil {
			t.Errorf("%s: metric %s: %v", s.name, name, err)
		}
		s.samples[name] = append(s.samples[name], int(value))
	}
}

func (s *soaked) restart(t *testing.T, end func(*process)) {
	t.Helper()
	last := len(s.fleet.instances) - 1
	end(s.fleet.instances[last])
	p := s.setup.start(t)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fleet.callers[last].leave()
	s.fleet.instances[last], s.fleet.callers[last] = p, newCaller(t, p.url)
}

func (s *soaked) finish(t *testing.T) {
	t.Helper()
	for i, p := range s.fleet.instances {
		t.Logf("%s: instance %d: at most %d MiB resident, and %s s of processor",
			s.name, i, p.status("VmHWM")>>20, p.metric(t, "process_cpu_seconds_total"))
		p.stop()
	}
	s.setup.mail.WaitIdle()
	s.ledger.check(t, s.setup.mail, s.setup.stored(t), nil)
	t.Logf("%s: %d requests lost their connection to a flood", s.name, s.evicted)
	if len(s.wrong) > 0 {
		t.Errorf("%s: %d answers that no caller should get:\n%s",
			s.name, len(s.wrong), strings.Join(s.wrong[:min(len(s.wrong), 20)], "\n"))
	}
	const warm = 2 // rounds in which pools and caches fill
	for name, slack := range soakGrowth {
		if len(s.samples[name]) < warm+2 {
			continue
		}
		rest := s.samples[name][warm:]
		first, last := median(rest[:len(rest)/2]), median(rest[len(rest)/2:])
		t.Logf("%s: %s: median of the first half %d, of the second %d", s.name, name, first, last)
		if last > first+slack {
			t.Errorf("%s: %s grows from %d to %d", s.name, name, first, last)
		}
	}
}

// soakGrowth is how much more the second half may use. The pool of Redis keeps up to 32 connections.
var soakGrowth = map[string]int{"go_goroutines": 10, "process_open_fds": 42, "process_resident_memory_bytes": 32 << 20}

func median(values []int) int { return slices.Sorted(slices.Values(values))[len(values)/2] }

// soak has two instances on PostgreSQL, Redis and a model, one on SQLite whose disk fills up, and one that is
// restarted.
type soak struct {
	fleet, disk, single *soaked
	database            database
	redis               *programs.Server
	model               *modeltest.Server
	content             string // the folder of fleet
	reloads             int
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{database: newDatabase(t), redis: programs.Redis(t), model: modeltest.Listen(t, modeltest.Pick("refunds"))}
	environ := append(withModel(t, s.model.URL()), "FRONTDESK_MODEL_DAILY_CAP=1000000", "FRONTDESK_MODEL_TIMEOUT=1s",
		"FRONTDESK_REDIS_URL="+s.redis.URL)
	s.content = strings.TrimPrefix(environ[0], "FRONTDESK_CONTENT=")
	s.fleet = newSoaked(t, "fleet", 2, 1, setup{environ: environ, database: s.database.URL})
	s.disk = newSoaked(t, "disk", 1, 1, setup{dir: diskOf(t, "128m")})
	s.single = newSoaked(t, "single", 1, 0, setup{dir: t.TempDir()})
	return s
}

func (s *soak) services() []*soaked { return []*soaked{s.fleet, s.disk, s.single} }

type fault struct {
	name        string
	begin, mend func()
}

// A kill comes first: nothing is pending then but what it interrupts.
func (s *soak) faults(t *testing.T) []fault {
	nothing := func() {}
	restart := func(end func(*process)) func() {
		return func() {
			s.single.restart(t, end)
			s.fleet.restart(t, end)
		}
	}
	model := func(behave modeltest.Behaviour) func() { return func() { s.model.Behave(behave) } }
	works := model(modeltest.Pick("refunds"))
	mails := func(plan func(*soaked) func() mailtest.Fault) func() {
		return func() {
			for _, service := range s.services() {
				service.setup.mail.SetPlan(plan(service))
			}
		}
	}
	var empty, drop func()
	return []fault{
		{"kill -9", restart((*process).kill), nothing},
		{"SIGTERM", restart((*process).stop), nothing},
		{"mail faults", mails(func(service *soaked) func() mailtest.Fault {
			return func() mailtest.Fault { return service.chance.mailFaultAt(everyStage, mailtest.Hang) }
		}), mails(func(*soaked) func() mailtest.Fault { return nil })},
		{"Redis killed", s.redis.Kill, s.redis.Start},
		{"Redis frozen", s.redis.Freeze, s.redis.Thaw},
		{"PostgreSQL killed", s.database.Kill, s.database.Start},
		{"PostgreSQL frozen", s.database.Freeze, s.database.Thaw},
		{"PostgreSQL read-only", s.database.readOnly, s.database.writable},
		{"model slow", model(modeltest.Hang), works},
		{"model refusing", model(modeltest.Fail(400)), works},
		{"model failing", model(modeltest.Fail(500)), works},
		{"disk full", func() { // what a database has reserved lasts for some requests
			empty = fill(t, s.disk.setup.dir)
			eventually(t, "a pilot request to be refused", func() bool {
				return s.disk.contact(s.disk.ledger.next(), 0).status == 500
			})
		}, func() { empty() }},
		{"stalled log", s.stallLog, nothing},
		{"reload", func() { harness.Edit(t, s.content, "faq.yaml", "entries: [") }, func() { s.reload(t) }},
		{"flood of connections", func() { drop = s.flood(t) }, func() { drop() }},
	}
}

// The pipe and the buffer fill up.
func (s *soak) stallLog() {
	p := s.disk.fleet.instances[0]
	p.log.gate.Lock()
	defer p.log.gate.Unlock()
	long := contract.PathHealth + "/" + strings.Repeat("x", 300)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 1000 {
				s.disk.caller(0).send("GET", long, "")
			}
		})
	}
	group.Wait()
}

func (s *soak) reload(t *testing.T) {
	t.Helper()
	s.reloads++
	answer := fmt.Sprintf("Within %d days.", s.reloads)
	harness.Edit(t, s.content, "faq.yaml", entries(answer))
	for i := range s.fleet.fleet.instances {
		eventually(t, "the new content", func() bool {
			return strings.Contains(s.fleet.caller(i).send("GET", "/faq.md", "").body, answer)
		})
	}
}

func (s *soak) flood(t *testing.T) (drop func()) {
	t.Helper()
	kinds := []hold{slowHeader, flood, slowReader, forms, idle}
	var held []net.Conn
	for _, service := range s.services() {
		if service.setup.machine != (quota{}) { // with fewer places
			service.crowded.Store(true)
			kinds = kinds[:4]
		}
		held = append(held, holdAll(t, service.fleet.instances[0].url, soakFlood, manyAddresses, func(i int) hold {
			return kinds[i%len(kinds)]
		})...)
	}
	return func() {
		closeAll(held)
		for _, service := range s.services() {
			eventually(t, "the flood to end", func() bool { return service.fleet.instances[0].sockets() < soakFlood/2 })
			service.traffic.Lock() // what is under way has ended
			service.caller(0).leave()
			service.crowded.Store(false)
			service.traffic.Unlock()
		}
	}
}

// Every fault is played in turn for as long as FRONTDESK_SOAK says. With FRONTDESK_SOAK_MEMORY each process has one
// processor, so many MiB of memory, and its encoder. Everything but a pilot request is always 200, and between two
// faults every route is; no accepted request is lost, no state is wrong; and a process that is never restarted uses no
// more goroutines, files and memory than at first.
func TestSoak(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("FRONTDESK_SOAK"))
	if err != nil {
		t.Skip("plays for as long as FRONTDESK_SOAK says: make soak")
	}
	s, end := newSoak(t), time.Now().Add(lasts)
	stop := make(chan struct{})
	var load sync.WaitGroup
	for _, service := range s.services() {
		load.Go(func() { service.load(stop) })
	}
	rounds := 0
	for ; time.Now().Before(end); rounds++ {
		for _, fault := range s.faults(t) {
			fault.begin()
			<-time.After(soakFault)
			fault.mend()
			for _, service := range s.services() {
				service.settle(t, fault.name)
			}
		}
		for _, service := range s.services() {
			service.rest(t)
		}
		t.Logf("round %d ends at %s", rounds, time.Now().Format(time.TimeOnly))
	}
	close(stop)
	load.Wait()
	for _, service := range s.services() {
		service.settle(t, "all faults")
		service.finish(t)
	}
	t.Logf("each fault was played %d times", rounds)
}
