package conform

import "sync"

// observer shows every answer of a run to the checks that have an Always.
type observer struct {
	mu           sync.Mutex
	checks       []Check
	observations map[string]*observation // by the name of the check
}

// observation is the state of one observing check: how many answers it applied to, and
// the first wrong one.
type observation struct {
	applied int
	fault   string
	by      *Answer
}

func newObserver(checks []Check) *observer {
	o := &observer{observations: map[string]*observation{}}
	for _, check := range checks {
		if check.Always != nil {
			o.checks = append(o.checks, check)
			o.observations[check.Name] = &observation{}
		}
	}
	return o
}

func (o *observer) observe(a *Answer) {
	if a.FromProxy() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, check := range o.checks {
		applies, fault := check.Always(a)
		if !applies {
			continue
		}
		seen := o.observations[check.Name]
		seen.applied++
		if fault != "" && seen.fault == "" {
			seen.fault, seen.by = fault, a
		}
	}
}

// conclude ends an observing check: it fails if an answer was wrong.
func (o *observer) conclude(p *Probe) {
	o.mu.Lock()
	defer o.mu.Unlock()
	seen := o.observations[p.check.Name]
	switch {
	case seen.fault != "":
		p.sent = []Request{seen.by.Request}
		p.Fail(seen.fault, seen.by.Excerpt())
	case seen.applied == 0:
		p.Skip(neverApplied)
	}
}
