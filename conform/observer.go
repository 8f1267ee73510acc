package conform

import "sync"

// observer shows every answer of a run to the checks that have an Always.
type observer struct {
	mu           sync.Mutex
	observations []*observation
}

// observation is the state of one observing check: how many answers it applied to, and
// the first wrong one.
type observation struct {
	check   Check
	applied int
	fault   string
	by      *Answer
}

func newObserver(checks []Check) *observer {
	o := &observer{}
	for _, check := range checks {
		if check.Always != nil {
			o.observations = append(o.observations, &observation{check: check})
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
	for _, seen := range o.observations {
		applies, fault := seen.check.Always(a)
		if applies {
			seen.applied++
		}
		if applies && fault != "" && seen.by == nil {
			seen.fault, seen.by = fault, a
		}
	}
}

// conclude ends an observing check: it fails if an answer was wrong.
func (o *observer) conclude(p *Probe) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, seen := range o.observations {
		switch {
		case seen.check.Name != p.check.Name:
		case seen.by != nil:
			p.sent = []Request{seen.by.Request}
			p.Fail(seen.fault, seen.by.Excerpt())
		case seen.applied == 0:
			p.Skip(neverApplied)
		}
	}
}
