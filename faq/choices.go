package faq

import (
	"sync"

	"frontdesk/contract"
)

// maxChoices is how many choices of a model a ladder remembers: a few MiB at most.
const maxChoices = 4096

// choices remembers what a model has chosen, by the key of the question, until the
// content changes, which makes a new ladder. The oldest goes first.
type choices struct {
	mu    sync.Mutex
	known map[string]picked
	order []string // a ring of the keys once it is full
	next  int
}

// get returns a remembered choice that still holds: an entry that has expired since
// is chosen anew among the others.
func (c *choices) get(q modelQuestion) (picked, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	got, ok := c.known[q.key]
	if ok && got.entry != noEntry && !q.live(got.entry) {
		return picked{}, false
	}
	return got, ok
}

// put remembers a choice. That a model was not to be had is none.
func (c *choices) put(q modelQuestion, got picked) {
	if got.reason != contract.ReasonMatched && got.reason != contract.ReasonNoMatch {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]picked{}
	}
	if _, again := c.known[q.key]; !again {
		c.keep(q.key)
	}
	c.known[q.key] = got
}

func (c *choices) keep(key string) {
	if len(c.order) < maxChoices {
		c.order = append(c.order, key)
		return
	}
	delete(c.known, c.order[c.next])
	c.order[c.next] = key
	c.next = (c.next + 1) % maxChoices
}
