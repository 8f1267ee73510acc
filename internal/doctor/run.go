package doctor

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// defaultLimit is how long a check without its own limit may take.
const defaultLimit = 10 * time.Second

// Check is one check.
type Check struct {
	Name  string
	Limit time.Duration // of Run; defaultLimit when zero
	Run   func(ctx context.Context) Finding
}

// Examined is the name of a check with its finding.
type Examined struct {
	Name string `json:"check"`
	Finding
}

// Run runs all checks concurrently and returns their findings, in their order.
func Run(ctx context.Context, checks []Check) []Examined {
	examined := make([]Examined, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { examined[i] = Examined{check.Name, check.bounded(ctx)} })
	}
	all.Wait()
	return examined
}

// bounded runs a check. It does not wait for a check that ignores its context.
func (c Check) bounded(ctx context.Context) Finding {
	limit := cmp.Or(c.Limit, defaultLimit)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found := make(chan Finding, 1)
	go func() { found <- c.Run(ctx) }()
	select {
	case finding := <-found:
		return finding
	case <-ctx.Done():
	}
	select {
	case finding := <-found: // the check noticed the end and says how far it got
		return finding
	case <-time.After(grace):
		return failed(fmt.Sprintf("no result within %v", limit), "")
	}
}

// grace is how long a check may take to say how far it got when its time ran out.
const grace = 500 * time.Millisecond

// Failures returns the number of failed checks.
func Failures(examined []Examined) int {
	n := 0
	for _, one := range examined {
		if one.Result == Failed {
			n++
		}
	}
	return n
}
