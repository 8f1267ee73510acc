package doctor

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// defaultLimit is how long a check without a limit of its own may take.
const defaultLimit = 10 * time.Second

// Check is one examination.
type Check struct {
	Name  string
	Limit time.Duration // of Run; defaultLimit when zero
	Run   func(ctx context.Context) Finding
}

// Examined is a check with its finding.
type Examined struct {
	Name string `json:"check"`
	Finding
}

// Run does all checks at once and returns what they found, in their order.
func Run(ctx context.Context, checks []Check) []Examined {
	examined := make([]Examined, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { examined[i] = Examined{check.Name, check.bounded(ctx)} })
	}
	all.Wait()
	return examined
}

// bounded runs the check and does not wait for one that ignores its context.
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
	case finding := <-found: // it noticed the end itself and reports where it was
		return finding
	case <-time.After(grace):
		return failed(fmt.Sprintf("no result within %v", limit), "")
	}
}

// grace is how long a check may take to report where it was when its time ran out.
const grace = 500 * time.Millisecond

// Failures counts the checks that failed.
func Failures(examined []Examined) int {
	n := 0
	for _, one := range examined {
		if one.Result == Failed {
			n++
		}
	}
	return n
}
