package faults

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

const (
	soakFault    = 5 * time.Second        // how long a fault lasts
	soakBeat     = 100 * time.Millisecond // between two requests to an instance
	soakInFlight = 128                    // requests of a service that may be under way
	soakFlood    = 500                    // connections of a flood
)

// soakRoutes are answered 200 whatever fails. Only feedback, which is stored, is 500
// while the database is down.
var soakRoutes = []struct{ method, path, body string }{
	{http.MethodGet, contract.PathHealth, ""},
	{http.MethodGet, contract.PathCatalog, ""},
	{http.MethodGet, contract.PathCatalogAlias, ""},
	{http.MethodGet, contract.PathOpenAPI, ""},
	{http.MethodGet, contract.PathLLMS, ""},
	{http.MethodGet, contract.PathHome, ""},
	{http.MethodGet, contract.PathFAQ, ""},
	{http.MethodGet, contract.PathPricing, ""},
	{http.MethodGet, contract.PathDevelopers, ""},
	{http.MethodGet, contract.PathContactPage, ""},
	{http.MethodGet, contract.PathKeyDirectory, ""},
	{http.MethodPost, contract.PathAsk, `{"q":"How much does it cost?"}`},
	{http.MethodPost, contract.PathFeedback, `{"helpful":false,"q":"Do you sell ships?"}`},
	{http.MethodPost, contract.PathContact, pilotRequest("preview", true)},
	{http.MethodPost, contract.PathMCP, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	{http.MethodPost, contract.PathWorkspaceMCP, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
}

// soaked is a service under soak: its instances share a database.
type soaked struct {
	name    string
	records records.Options
	setup   setup
	mails   *mailtest.Server
	steady  int // the instances before this one are never restarted
	chance  *chance

	traffic sync.RWMutex // each request holds it for reading
	mu      sync.Mutex
	fleet   *fleet
	sent    []*told        // pilot requests, by number
	counts  map[string]int // answers by kind and status
	wrong   []string       // answers that no caller should get
	samples []sample       // of the first instance
}

// sample is what a process uses while no request is under way.
type sample struct{ goroutines, files, memory int }

// newSoaked starts a service of n instances; the first steady ones are never restarted.
func newSoaked(t *testing.T, name string, n, steady int, s setup) *soaked {
	t.Helper()
	s.mail = mailtest.Listen(t, mailtest.Options{})
	s.environ = append(s.environ, withAdmin, "FRONTDESK_TRUSTED_PROXIES=127.0.0.1/32") // floods come from elsewhere
	return &soaked{name: name, setup: s, mails: s.mail, steady: steady, chance: newChance(t, 200), counts: map[string]int{}, fleet: newFleet(t, n, s),
		records: records.Options{Dir: s.dir}}
}

// load sends requests to every instance until stop is closed.
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

// request sends the nth request to an instance.
func (s *soaked) request(n, i int) {
	switch n % 10 {
	case 0, 1, 2, 3:
		s.contact(s.number(), i)
	case 4:
		s.expectOK(i, "ask the model", s.caller(i).ask(asked(fmt.Sprintf("%s %d.%d?", beyond, n, i))))
	default:
		route := soakRoutes[s.chance.n(len(soakRoutes))]
		s.expectOK(i, route.method+" "+route.path, s.caller(i).send(route.method, route.path, route.body))
	}
}

func (s *soaked) caller(i int) *caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fleet.callers[i]
}

// expectOK counts an answer. An instance that is being restarted may give none.
func (s *soaked) expectOK(i int, kind string, got answer) {
	s.count("other", got.status)
	stored := strings.HasSuffix(kind, contract.PathFeedback) && got.status == http.StatusInternalServerError
	if got.status == http.StatusOK || stored || got.status == 0 && i >= s.steady {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf("%s: instance %d, %s: %d %v %s", time.Now().Format(time.TimeOnly), i, kind, got.status, got.err, got.body))
}

func (s *soaked) count(kind string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[fmt.Sprintf("%s %d", kind, status)]++
}

// number is that of a new pilot request; every other has a key.
func (s *soaked) number() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, o := len(s.sent), &told{}
	if n%2 == 0 {
		o.key = fmt.Sprintf("key-%d", n)
	}
	s.sent = append(s.sent, o)
	return n
}

// contact sends a pilot request to an instance, or to one that listens, and keeps the
// answer.
func (s *soaked) contact(n, i int) answer {
	s.mu.Lock()
	o := s.sent[n]
	s.mu.Unlock()
	got := s.caller(i).contact(numbered(n), o.key)
	for errors.Is(got.err, syscall.ECONNREFUSED) {
		<-time.After(soakBeat)
		i = (i + 1) % len(s.fleet.instances)
		got = s.caller(i).contact(numbered(n), o.key)
	}
	s.count("contact", got.status)
	s.mu.Lock()
	defer s.mu.Unlock()
	o.statuses = append(o.statuses, got.status)
	switch got.status {
	case http.StatusOK, http.StatusInternalServerError, http.StatusBadGateway:
	default:
		if got.status != 0 || i < s.steady {
			s.wrong = append(s.wrong, fmt.Sprintf("%s: instance %d, pilot request %d: %d %v %s", time.Now().Format(time.TimeOnly), i, n, got.status, got.err, got.body))
		}
	}
	return got
}

// settle waits until every route of every instance is answered again, and until every
// request with a key is accepted that was not.
func (s *soaked) settle(t *testing.T, after string) {
	t.Helper()
	for i := range s.fleet.instances {
		for _, route := range soakRoutes {
			eventually(t, fmt.Sprintf("%s, after %s: instance %d: %s", s.name, after, i, route.path), func() bool {
				return s.caller(i).send(route.method, route.path, route.body).status == http.StatusOK
			})
		}
		eventually(t, fmt.Sprintf("%s, after %s: instance %d accepts a pilot request", s.name, after, i), func() bool {
			return s.contact(s.number(), i).status == http.StatusOK
		})
	}
	s.traffic.Lock() // what is under way has ended
	defer s.traffic.Unlock()
	for n, o := range s.sent {
		if o.key != "" && !o.accepted() {
			eventually(t, fmt.Sprintf("%s, after %s: request %d is accepted under its key", s.name, after, n), func() bool {
				return s.contact(n, 0).status == http.StatusOK
			})
		}
	}
}

// rest waits until nothing is pending, and takes a sample.
func (s *soaked) rest(t *testing.T) {
	t.Helper()
	store, err := records.Open(t.Context(), s.records)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s.traffic.Lock()
	defer s.traffic.Unlock()
	eventually(t, s.name+": nothing is pending", func() bool { // a lease lasts a minute
		pending, err := store.CountInquiries(t.Context(), records.Pending)
		return err == nil && pending == 0
	})
	if s.steady == 0 {
		return
	}
	s.caller(0).leave()
	s.mails.WaitIdle()
	p := s.fleet.instances[0]
	<-time.After(time.Second) // for its server to notice
	number := func(name string) int {
		value, err := strconv.ParseFloat(p.metric(t, name), 64)
		if err != nil {
			t.Errorf("%s: metric %s: %v", s.name, name, err)
		}
		return int(value)
	}
	taken := sample{number("go_goroutines"), number("process_open_fds"), number("process_resident_memory_bytes") >> 20}
	s.samples = append(s.samples, taken)
	t.Logf("%s: %d goroutines, %d files, %d MiB; answers %v", s.name, taken.goroutines, taken.files, taken.memory, s.counts)
}

// untilRefused sends pilot requests until one cannot be stored: what a database has
// reserved on a full disk lasts for some.
func (s *soaked) untilRefused(t *testing.T) {
	t.Helper()
	for range 1000 {
		if s.contact(s.number(), 0).status == http.StatusInternalServerError {
			return
		}
	}
	t.Errorf("%s: the disk is full and every pilot request is stored", s.name)
}

// restart ends the last instance with end, and starts it again.
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

// mailFault breaks every second conversation at some stage.
func (s *soaked) mailFault() mailtest.Fault {
	if s.chance.n(2) == 0 {
		return mailtest.Fault{}
	}
	stages := []mailtest.Stage{mailtest.Greeting, mailtest.Hello, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot, mailtest.Quit}
	actions := []mailtest.Action{mailtest.Refuse, mailtest.Cut, mailtest.Lose, mailtest.Hang}
	return mailtest.Fault{Stage: stages[s.chance.n(len(stages))], Action: actions[s.chance.n(len(actions))]}
}

// finish stops the service and compares the answers, the mails and the records.
func (s *soaked) finish(t *testing.T) {
	t.Helper()
	for _, p := range s.fleet.instances {
		p.stop()
	}
	s.mails.WaitIdle()
	store, err := records.Open(t.Context(), s.records)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	stored, err := store.Inquiries(t.Context(), records.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var all []told
	for _, o := range s.sent {
		all = append(all, *o)
	}
	t.Logf("%s: answers %v", s.name, s.counts)
	(&herd{mails: s.mails}).check(t, all, stored)
	if len(s.wrong) > 0 {
		t.Errorf("%s: %d answers that no caller should get:\n%s", s.name, len(s.wrong), strings.Join(s.wrong[:min(len(s.wrong), 20)], "\n"))
	}
	s.checkGrowth(t)
}

// checkGrowth compares the last samples with those after the first rounds, in which
// pools and caches fill.
func (s *soaked) checkGrowth(t *testing.T) {
	t.Helper()
	const warm = 2
	if len(s.samples) < warm+2 {
		return
	}
	rest := s.samples[warm:]
	half := len(rest) / 2
	for _, what := range []struct {
		name  string
		of    func(sample) int
		slack int
	}{
		{"goroutines", func(s sample) int { return s.goroutines }, 10},
		{"open files", func(s sample) int { return s.files }, 10},
		{"MiB of memory", func(s sample) int { return s.memory }, 32},
	} {
		first, last := median(rest[:half], what.of), median(rest[half:], what.of)
		t.Logf("%s: %s: median of the first half %d, of the second %d", s.name, what.name, first, last)
		if last > first+what.slack {
			t.Errorf("%s: %s grow from %d to %d", s.name, what.name, first, last)
		}
	}
}

func median(samples []sample, of func(sample) int) int {
	var values []int
	for _, s := range samples {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// soak is everything that is broken in turn: two instances on PostgreSQL, Redis and a
// model, one on SQLite whose disk fills up, and one on SQLite that is restarted.
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
	environ := append(withModel(t, s.model.URL()), "FRONTDESK_MODEL_DAILY_CAP=1000000", "FRONTDESK_MODEL_TIMEOUT=1s", "FRONTDESK_REDIS_URL="+s.redis.URL)
	s.content = strings.TrimPrefix(environ[0], "FRONTDESK_CONTENT=")
	s.fleet = newSoaked(t, "fleet", 2, 1, setup{environ: append(environ, onPostgres(t, s.database.URL)...)})
	s.fleet.records = records.Options{URL: s.database.URL}
	s.disk = newSoaked(t, "disk", 1, 1, setup{dir: diskOf(t, "128m")})
	s.single = newSoaked(t, "single", 1, 0, setup{dir: t.TempDir()})
	return s
}

func (s *soak) services() []*soaked { return []*soaked{s.fleet, s.disk, s.single} }

// during begins a fault, waits, and mends it.
func during(begin, mend func()) {
	begin()
	<-time.After(soakFault)
	mend()
}

// faults are played in this order. A kill comes first: nothing is pending then but what
// it interrupts.
func (s *soak) faults(t *testing.T) []struct {
	name string
	play func()
} {
	models := func(behaviours ...modeltest.Behaviour) func() {
		return func() {
			for _, behave := range behaviours {
				during(func() { s.model.Behave(behave) }, func() { s.model.Behave(modeltest.Pick("refunds")) })
			}
		}
	}
	return []struct {
		name string
		play func()
	}{
		{"kill -9", func() {
			s.single.restart(t, (*process).kill)
			s.fleet.restart(t, (*process).kill)
		}},
		{"SIGTERM", func() {
			s.single.restart(t, (*process).stop)
			s.fleet.restart(t, (*process).stop)
		}},
		{"mail faults", func() {
			for _, service := range s.services() {
				service.mails.SetPlan(service.mailFault)
			}
			<-time.After(2 * soakFault)
			for _, service := range s.services() {
				service.mails.SetPlan(nil)
			}
		}},
		{"Redis killed", func() { during(s.redis.Kill, s.redis.Start) }},
		{"Redis frozen", func() { during(s.redis.Freeze, s.redis.Thaw) }},
		{"PostgreSQL killed", func() { during(s.database.Kill, s.database.Start) }},
		{"PostgreSQL frozen", func() { during(s.database.Freeze, s.database.Thaw) }},
		{"PostgreSQL read-only", func() {
			during(func() {
				s.database.execute(t, `ALTER DATABASE postgres SET default_transaction_read_only = on`)
				s.database.execute(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'`)
			}, func() {
				s.database.execute(t, `SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only`)
			})
		}},
		{"model slow, refusing, failing", models(modeltest.Hang, modeltest.Fail(http.StatusBadRequest), modeltest.Fail(http.StatusInternalServerError))},
		{"disk full", func() {
			empty := fill(t, s.disk.setup.dir)
			s.disk.untilRefused(t)
			<-time.After(soakFault)
			empty()
		}},
		{"stalled log", func() { s.stallLog() }},
		{"reload", func() { s.reload(t) }},
		{"flood of connections", func() { s.flood(t) }},
	}
}

// stallLog leaves the log of an instance unread while it fills the pipe and the buffer.
func (s *soak) stallLog() {
	p := s.disk.fleet.instances[0]
	p.log.gate.Lock()
	defer p.log.gate.Unlock()
	long := contract.PathHealth + "/" + strings.Repeat("x", 300)
	byMany(4, 4000, func(int) answer { return s.disk.caller(0).send(http.MethodGet, long, "") })
}

// reload puts bad content in place, and then good content.
func (s *soak) reload(t *testing.T) {
	t.Helper()
	s.reloads++
	write(t, s.content, "faq.yaml", "entries: [")
	<-time.After(soakFault)
	answer := fmt.Sprintf("Within %d days.", s.reloads)
	write(t, s.content, "faq.yaml", entries(answer))
	for i := range s.fleet.fleet.instances {
		eventually(t, "the new content", func() bool {
			return strings.Contains(s.fleet.caller(i).send(http.MethodGet, "/faq.md", "").body, answer)
		})
	}
}

// flood holds connections of all kinds to each service, from many addresses.
func (s *soak) flood(t *testing.T) {
	t.Helper()
	kinds := []hold{slowHeader, flood, slowReader, forms, idle}
	var held []net.Conn
	for _, service := range s.services() {
		held = append(held, holdFrom(t, service.fleet.instances[0].url, soakFlood,
			func(i int) net.IP { return net.IPv4(127, 1, byte(i>>8), byte(i)) },
			func(i int) hold { return kinds[i%len(kinds)] })...)
	}
	<-time.After(soakFault)
	for _, conn := range held {
		if conn != nil {
			_ = conn.Close()
		}
	}
}

// TestSoak plays every fault in turn, again and again for as long as FRONTDESK_SOAK
// says, while callers send requests at a modest rate. Whatever fails, everything but a
// pilot request is answered 200; between two faults every route is; in the end no
// accepted request is lost and no state is wrong; and a process that is never restarted
// uses no more goroutines, files and memory than at first.
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
	played := map[string]int{}
	for round := 1; time.Now().Before(end); round++ {
		for _, fault := range s.faults(t) {
			fault.play()
			played[fault.name]++
			for _, service := range s.services() {
				service.settle(t, fault.name)
			}
		}
		t.Logf("%s: round %d", time.Now().Format(time.TimeOnly), round)
		for _, service := range s.services() {
			service.rest(t)
		}
	}
	close(stop)
	load.Wait()
	for _, service := range s.services() {
		service.settle(t, "all faults")
		service.finish(t)
	}
	t.Logf("played: %v", slices.Sorted(maps.Keys(played)))
	t.Logf("times: %v", played)
}
