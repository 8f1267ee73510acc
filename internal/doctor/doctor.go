// Package doctor checks a service for its operator: the settings, every dependency that
// they configure (mail server, model, data folder, …), and whether clients reach it. It
// sends no mail, asks no question and stores no record.
//
// A check is a name and a function; checks.go lists them in the order of the
// report, and each family has a file. The checks are independent and run concurrently,
// each with its own time limit, so that a hanging check hides no other. No finding
// contains a secret.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"text/tabwriter"
	"time"

	"frontdesk/contract"
)

// Result is how a check ended.
type Result string

// The values of Result. Only Failed makes the exit code of frontdesk doctor 1.
const (
	OK      Result = "ok"
	Skipped Result = "skipped" // nothing to check, or impossible to check
	Warning Result = "warning" // works, but is probably not what the owner wants
	Failed  Result = "FAIL"    // does not work
)

// Finding is the result of a check.
type Finding struct {
	Result Result `json:"result"`
	What   string `json:"what"`
	Hint   string `json:"hint,omitempty"` // what to do about it, unless it is ok
}

func ok(what string) Finding { return Finding{OK, what, ""} }

func skipped(what string) Finding { return Finding{Skipped, what, ""} }

func warning(what, hint string) Finding { return Finding{Warning, what, hint} }

func failed(what, hint string) Finding { return Finding{Failed, what, hint} }

// defaultLimit is how long a check without its own limit may take.
const defaultLimit = 10 * time.Second

type check struct {
	name  string
	limit time.Duration // of run; defaultLimit when zero
	run   func(ctx context.Context) Finding
}

// Examined is the name of a check with its finding.
type Examined struct {
	Name string `json:"check"`
	Finding
}

// run runs checks concurrently and returns their findings, in their order.
func run(ctx context.Context, checks []check) []Examined {
	examined := make([]Examined, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { examined[i] = Examined{check.name, check.bounded(ctx)} })
	}
	all.Wait()
	return examined
}

// grace is how long a check may take to say how far it got when its time ran out.
const grace = 500 * time.Millisecond

// bounded runs a check. It does not wait for a check that ignores its context.
func (c check) bounded(ctx context.Context) Finding {
	limit := cmp.Or(c.limit, defaultLimit)
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	found := make(chan Finding, 1)
	go func() {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		found <- c.run(ctx)
	}()
	select {
	case finding := <-found:
		return finding
	case <-ctx.Done():
		return failed(fmt.Sprintf("no result within %v", limit), "")
	}
}

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

// Print writes one line for each check, and a second one with the hint, if any. The answer of
// another program cannot forge a line or a colour.
func Print(w io.Writer, examined []Examined) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range examined {
		fmt.Fprintf(table, "%s\t%s\t%s\n", one.Result, one.Name, contract.VisibleText(one.What))
		if one.Hint != "" {
			fmt.Fprintf(table, "\t\thint: %s\n", contract.VisibleText(one.Hint))
		}
	}
	return table.Flush()
}
