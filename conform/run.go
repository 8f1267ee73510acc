package conform

import (
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/contract"
)

// runner is one run against one target.
type runner struct {
	ctx     context.Context
	options Options
	target  *url.URL
	at      target
	polite  bool
	checks  []Check
	clients *clients
	budget  *budget
	watch   *watch
	facts   facts
	marks   marks
	// silent counts the requests since the last answer.
	silent atomic.Int32
}

// atOnce is how many checks run side by side on loopback.
const atOnce = 8

// Run plays the selected checks. Its error is an *UnreachableError or a
// *UsageError; a check that fails is no error.
func Run(ctx context.Context, options Options) (Report, error) {
	r, err := begin(ctx, options)
	if err != nil {
		return Report{}, err
	}
	started := time.Now()
	report := Report{URL: options.URL, Mode: r.at.mode, Results: r.playAll()}
	report.Millis = time.Since(started).Milliseconds()
	report.count()
	return report, nil
}

// begin selects the checks, finds the target and learns what it publishes.
func begin(ctx context.Context, options Options) (*runner, error) {
	base, err := parseTarget(options.URL)
	if err != nil {
		return nil, err
	}
	all := Checks()
	if options.Readiness {
		all = ReadinessChecks()
	}
	checks, err := selected(all, options.Only)
	if err != nil {
		return nil, err
	}
	at, err := locate(ctx, base)
	if err != nil {
		return nil, &UnreachableError{options.URL, err}
	}
	if options.Polite && !at.polite {
		at.polite, at.mode = true, modeAsked
	}
	r := &runner{
		ctx: ctx, options: options, target: base, at: at, polite: at.polite, checks: checks,
		clients: newClients(!at.polite), budget: newBudget(), watch: newWatch(checks),
	}
	p := r.probe(&Check{Name: "reachable"})
	p.unseen = true
	if _, err := p.exchange(get(contract.PathHealth), false); err != nil {
		return nil, &UnreachableError{options.URL, err}
	}
	r.facts = r.learn()
	return r, nil
}

func (r *runner) probe(check *Check) *probe {
	return &probe{run: r, check: check, from: r.clients.next()}
}

func (r *runner) dial(ctx context.Context, from *client) (net.Conn, error) {
	return dial(ctx, r.at, r.target.Hostname(), from)
}

// playAll plays the checks, those that only watch after all others.
func (r *runner) playAll() []Result {
	results := make([]Result, len(r.checks))
	workers := atOnce
	if r.polite {
		workers = 1
	}
	var group sync.WaitGroup
	var progress sync.Mutex
	done, turns := 0, make(chan struct{}, workers)
	play := func(i int) {
		results[i] = r.play(&r.checks[i])
		progress.Lock()
		defer progress.Unlock()
		done++
		if r.options.Progress != nil {
			r.options.Progress(done, len(r.checks))
		}
	}
	for _, i := range r.turns() {
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			play(i)
		})
	}
	group.Wait()
	for i := range r.checks {
		if r.checks[i].last() {
			play(i)
		}
	}
	return results
}

// turns are the checks that do not speak of the whole run, the vital ones first.
func (r *runner) turns() []int {
	var vital, others []int
	for i, check := range r.checks {
		switch {
		case check.last():
		case check.Vital:
			vital = append(vital, i)
		default:
			others = append(others, i)
		}
	}
	return append(vital, others...)
}

// last reports whether a check speaks of the whole run.
func (c *Check) last() bool { return c.Always != nil || c.Final }

// play plays one check, from the question whether it may be played to its result.
func (r *runner) play(check *Check) Result {
	started := time.Now()
	p := r.probe(check)
	end := r.outcome(p)
	result := Result{
		Name: check.Name, Section: check.Section, Says: check.Says, Status: end.status,
		Expected: end.expected, Got: end.got, Reason: end.reason, Slots: end.slots, Millis: time.Since(started).Milliseconds(),
	}
	if end.status == Fail {
		result.Curl = p.show()
	}
	return result
}

// givenUp is after how many requests without an answer a run stops asking: the
// service has gone, and every further check would wait for its timeout.
const givenUp = 24

// hindrance is why a check is not played; its status is empty when nothing hinders.
func (r *runner) hindrance(check *Check) outcome {
	switch reason := r.options.unmet(check, r.polite); {
	case reason != "":
		return outcome{status: Skip, reason: reason}
	case r.silent.Load() >= givenUp:
		return outcome{status: Skip, reason: gone}
	case !r.polite:
		return outcome{}
	}
	if reason := r.budget.reserve(r.ctx, check, r.options.Slow); reason != "" {
		return outcome{status: Skip, reason: reason, slots: max(check.Asks, check.Sends, check.Trials)}
	}
	return outcome{}
}

// outcome runs a check. A check that comes to its end has passed.
func (r *runner) outcome(p *probe) (end outcome) {
	if end := r.hindrance(p.check); end.status != "" {
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
		if end.status == Fail && r.ctx.Err() != nil {
			end = outcome{status: Skip, reason: interrupted}
		}
	}()
	if p.check.Run != nil {
		p.check.Run(p)
	}
	if p.check.Always != nil {
		r.watch.settle(p)
	}
	return outcome{status: Pass}
}
