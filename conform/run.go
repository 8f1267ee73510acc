package conform

import (
	"context"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/contract"
)

// session is one run of checks against one service.
type session struct {
	ctx     context.Context
	options Options
	target  *url.URL
	at      target
	checks  []Check
	budget  budget
	facts   facts
	clients atomic.Uint32 // the number of the last client address
	// unanswered counts the requests since the last answer.
	unanswered atomic.Int32

	mu    sync.Mutex
	marks []string                // of the requests that are sent for real
	seen  map[string]*observation // by the checks with an Always, by name
}

// observation is what a check with an Always has seen: whether it applied to any answer, and
// the first wrong one.
type observation struct {
	always  func(*Answer) (applies bool, fault string)
	applied bool
	fault   string
	by      *Answer
}

// parallel is how many checks run concurrently on loopback.
const parallel = 8

// Run runs the selected checks. Its error is an *UnreachableError or a *UsageError; a
// failed check is not an error.
func Run(ctx context.Context, checks []Check, options Options) (Report, error) {
	s, err := start(ctx, checks, options)
	if err != nil {
		return Report{}, err
	}
	started := time.Now()
	report := Report{URL: options.URL, Mode: s.at.mode, Results: s.playAll()}
	report.Millis = time.Since(started).Milliseconds()
	report.count()
	return report, nil
}

// start selects the checks, connects to the service and reads its documents.
func start(ctx context.Context, checks []Check, options Options) (*session, error) {
	base, err := parseTarget(options.URL)
	if err != nil {
		return nil, err
	}
	checks, err = selected(checks, options.Only)
	if err != nil {
		return nil, err
	}
	at, err := locate(ctx, base)
	if err != nil {
		return nil, &UnreachableError{options.URL, err}
	}
	at.roots = options.RootCAs
	if options.Polite && !at.polite {
		at.polite, at.mode = true, modeAsked
	}
	s := &session{
		ctx: ctx, options: options, target: base, at: at, checks: checks,
		budget: budget{}, seen: map[string]*observation{},
	}
	s.clients.Store(rand.Uint32()) // so that a run soon after another is not limited by its requests
	for _, check := range checks {
		if check.Always != nil {
			s.seen[check.Name] = &observation{always: check.Always}
		}
	}
	health, err := s.read(contract.PathHealth)
	if err != nil {
		return nil, &UnreachableError{options.URL, err}
	}
	s.facts = s.learn(health)
	return s, nil
}

func (s *session) probe(check *Check) *Probe {
	return &Probe{run: s, check: check, from: s.address(), taken: map[string]int{}}
}

// address returns a new client address; nil lets the operating system choose.
func (s *session) address() net.IP {
	if s.at.polite {
		return nil
	}
	return loopbackAddress(s.clients.Add(1))
}

// observe shows an answer to the checks that examine every one.
func (s *session) observe(a *Answer) {
	if a.FromProxy() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seen := range s.seen {
		applies, fault := seen.always(a)
		seen.applied = seen.applied || applies
		if applies && fault != "" && seen.by == nil {
			seen.fault, seen.by = fault, a
		}
	}
}

// conclude ends a check that has examined every answer: it fails if one was wrong.
func (s *session) conclude(p *Probe) {
	switch seen := s.seen[p.check.Name]; {
	case seen.by != nil:
		p.sent = []Request{seen.by.Request}
		p.Fail(seen.fault, seen.by.Excerpt())
	case !seen.applied:
		p.Skip(neverApplied)
	}
}

// playAll runs the checks, those about the whole run after all others.
func (s *session) playAll() []Result {
	results := make([]Result, len(s.checks))
	workers := parallel
	if s.at.polite {
		workers = 1
	}
	var group sync.WaitGroup
	var progress sync.Mutex
	done, turns := 0, make(chan struct{}, workers)
	run := func(i int) {
		results[i] = s.play(&s.checks[i])
		progress.Lock()
		defer progress.Unlock()
		done++
		if s.options.Progress != nil {
			s.options.Progress(done, len(s.checks))
		}
	}
	for _, i := range s.order() {
		if s.checks[i].runsLast() {
			group.Wait()
		}
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			run(i)
		})
	}
	group.Wait()
	return results
}

// order returns the indexes of the checks: the early ones first, those about the whole run
// last.
func (s *session) order() []int {
	order := make([]int, len(s.checks))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) int {
		switch check := s.checks[i]; {
		case check.runsLast():
			return 2
		case check.Early:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(i, j int) int { return rank(i) - rank(j) })
	return order
}

// play runs one check and returns its result.
func (s *session) play(check *Check) Result {
	started := time.Now()
	p := s.probe(check)
	end := s.outcome(p)
	result := Result{
		Name: check.Name, Section: check.Section, Sentence: check.Sentence, Status: end.status,
		Expected: end.expected, Got: end.got, Reason: end.reason, Slots: end.slots, Millis: time.Since(started).Milliseconds(),
	}
	if end.status == Fail {
		result.Curl = p.commands()
	}
	return result
}

// maxUnanswered is how many requests in a row may stay unanswered before the run gives
// up: further checks would only wait for their timeouts.
const maxUnanswered = 24

// skipped returns why a check is not run; its status is empty if it may run.
func (s *session) skipped(check *Check) outcome {
	switch reason := s.options.skipReason(check, s.at.polite); {
	case reason != "":
		return outcome{status: Skip, reason: reason}
	case s.unanswered.Load() >= maxUnanswered:
		return outcome{status: Skip, reason: gone}
	case !s.at.polite:
		return outcome{}
	}
	if reason := s.budget.reserve(s.ctx, check, s.options.Slow); reason != "" {
		return outcome{status: Skip, reason: reason, slots: max(check.Asks, check.Sends, check.Trials)}
	}
	return outcome{}
}

// outcome runs a check. A check that reaches its end has passed.
func (s *session) outcome(p *Probe) (end outcome) {
	if end := s.skipped(p.check); end.status != "" {
		return end
	}
	defer func() {
		if value := recover(); value != nil {
			early, ok := value.(outcome)
			if !ok {
				panic(value)
			}
			end = early
		}
		if end.status == Fail && s.ctx.Err() != nil {
			end = outcome{status: Skip, reason: interrupted}
		}
	}()
	if p.check.Run != nil {
		p.check.Run(p)
	}
	if p.check.Always != nil {
		s.conclude(p)
	}
	return outcome{status: Pass}
}
