package conform

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// session is one run of checks against one service.
type session struct {
	ctx     context.Context
	options Options
	target  *url.URL
	at      target
	checks  []Check
	budget  budget
	facts   Facts
	clients atomic.Uint32 // the number of the last client address
	// unanswered counts the requests since the last answer.
	unanswered atomic.Int32

	mu   sync.Mutex
	seen map[string]Result // the first fault that each check with an Always saw, by name; nil before the first check
	done int               // checks
}

// parallel is how many checks run concurrently on loopback.
const parallel = 8

// Run runs the selected checks. Its error is ErrUnreachable, or says which option is
// invalid; a failed check is not an error.
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
	options.Timeout = cmp.Or(options.Timeout, defaultTimeout)
	s := &session{ctx: ctx, options: options, target: base, checks: checks, budget: budget{}}
	s.clients.Store(rand.Uint32()) // so that a run soon after another is not limited by its requests
	if s.at, err = locate(ctx, base, options); err == nil {
		err = s.learn()
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrUnreachable, options.URL, err)
	}
	s.seen = map[string]Result{}
	return s, nil
}

func (s *session) probe(check *Check, from net.IP) *Probe {
	return &Probe{Facts: &s.facts, Options: s.options, run: s, check: check, from: from, taken: map[string]int{}}
}

// address returns a new client address; nil lets the operating system choose.
func (s *session) address() net.IP {
	if s.at.polite {
		return nil
	}
	return loopbackAddress(s.clients.Add(1))
}

// observe shows an answer to the checks that examine every one. Those need the facts, so
// the answers from which the facts are read are not shown.
func (s *session) observe(a *Answer) {
	if s.seen == nil || a.FromProxy() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, check := range s.checks {
		if check.Always == nil || s.seen[check.Name].Status == Fail {
			continue
		}
		if fault := check.Always(a); fault != "" {
			s.seen[check.Name] = Result{Status: Fail, Expected: fault, Got: a.excerpt(), Sent: a.Request.excerpt(s.target)}
		}
	}
}

// playAll runs the checks turn by turn.
func (s *session) playAll() []Result {
	results := make([]Result, len(s.checks))
	for turn := range 3 {
		var group errgroup.Group
		group.SetLimit(parallel)
		if s.at.polite {
			group.SetLimit(1)
		}
		for i := range s.checks {
			if s.checks[i].turn() == turn {
				group.Go(func() error { results[i] = s.play(&s.checks[i]); return nil })
			}
		}
		_ = group.Wait() // a failed check is no error
	}
	return results
}

// maxUnanswered is how many requests in a row may stay unanswered before the run gives
// up: further checks would only wait for their timeouts.
const maxUnanswered = 24

// play runs one check. A check that reaches its end has passed.
func (s *session) play(check *Check) (result Result) {
	started, p := time.Now(), s.probe(check, s.address())
	defer func() {
		if value := recover(); value != nil {
			early, ok := value.(Result)
			if !ok {
				panic(value)
			}
			result = early
		}
		if result.Status == Fail && s.ctx.Err() != nil {
			result = Result{Status: Skip, Reason: interrupted}
		}
		if result.Status == Fail && result.Sent == "" && p.sent != nil {
			result.Sent = p.sent.excerpt(s.target)
		}
		result.Name, result.Section, result.Sentence, result.Millis = check.Name, check.Section, check.Sentence,
			time.Since(started).Milliseconds()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.done++; s.options.Progress != nil {
			s.options.Progress(s.done, len(s.checks))
		}
	}()
	reason := s.options.skipReason(check, s.at.polite)
	if reason == "" && s.unanswered.Load() >= maxUnanswered {
		reason = gone
	}
	if reason == "" && s.at.polite {
		reason = s.budget.reserve(s.ctx, check, s.options.Slow)
	}
	if reason != "" {
		return Result{Status: Skip, Reason: reason}
	}
	check.Run(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.seen[check.Name], Result{Status: Pass})
}
