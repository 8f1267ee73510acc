package conform

import "sync"

// watch collects what the checks that watch every answer have seen.
type watch struct {
	mu     sync.Mutex
	checks []Check // with an Always
	seen   map[string]*sight
}

// sight is what one check has seen: how many answers it is about, and the first of
// them that broke it.
type sight struct {
	concerned int
	fault     string
	by        *answer
}

func newWatch(checks []Check) *watch {
	w := &watch{seen: map[string]*sight{}}
	for _, check := range checks {
		if check.Always != nil {
			w.checks = append(w.checks, check)
			w.seen[check.Name] = &sight{}
		}
	}
	return w
}

func (w *watch) saw(a *answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, check := range w.checks {
		concerned, fault := check.Always(a)
		if !concerned {
			continue
		}
		sight := w.seen[check.Name]
		sight.concerned++
		if fault != "" && sight.fault == "" {
			sight.fault, sight.by = fault, a
		}
	}
}

// settle ends a watching check: it fails when an answer broke it.
func (w *watch) settle(p *probe) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sight := w.seen[p.check.Name]
	switch {
	case sight.fault != "":
		p.sent = []request{sight.by.request}
		p.expected(sight.fault, sight.by.shown())
	case sight.concerned == 0:
		p.skip(nothingSeen)
	}
}
