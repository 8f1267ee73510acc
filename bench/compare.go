package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
	"frontdesk/bench/server"
)

// contender is a server that takes part in the rounds.
type contender struct {
	kind    server.Kind
	program string // what its size is that of
	mcpOnly bool

	process *server.Process
	driver  *load.Driver
	sizes   map[string]int           // requests of a batch, by scenario
	batches map[string][]*load.Batch // one a round, by scenario

	cold         []time.Duration
	idle, loaded int64
}

func (w *workshop) contenders() []*contender {
	all := []*contender{
		{kind: w.frontdesk(""), program: frontdesk},
		{kind: w.peer(limit, limit), program: limit},
		{kind: w.peer(noise, limit), program: limit},
		{kind: w.peer(mcpGo, mcpGo), program: mcpGo, mcpOnly: true},
		{kind: w.peer(goSDK, goSDK), program: goSDK, mcpOnly: true},
	}
	for _, c := range all {
		c.sizes, c.batches = map[string]int{}, map[string][]*load.Batch{}
	}
	return all
}

func (c *contender) takes(s *scenario) bool { return s.peers || !c.mcpOnly }

// record keeps what frontdesk answers in each scenario, for the others to say again.
func (w *workshop) record(ctx context.Context, all []*scenario) error {
	kind := w.frontdesk("")
	process, err := kind.Start(ctx)
	if err != nil {
		return err
	}
	defer process.Stop()
	return w.recordFrom(ctx, process.Addr, all)
}

// recordFrom keeps what the server at an address answers.
func (w *workshop) recordFrom(ctx context.Context, addr string, all []*scenario) error {
	answers := recorded.Answers{}
	for _, s := range all {
		for range s.warm {
			if _, err := load.Once(ctx, addr, &s.request); err != nil {
				return err
			}
		}
		answer, err := load.Once(ctx, addr, &s.request)
		if err != nil {
			return err
		}
		if answer.Status != s.want {
			return fmt.Errorf("%s: frontdesk answers %d, not %d: %s", s.name, answer.Status, s.want, answer.Body)
		}
		header := http.Header(answer.Header)
		header.Del("Connection") // of the recording
		answers[s.name] = recorded.Answer{Status: answer.Status, Header: header, Body: answer.Body}
	}
	return answers.Write(w.path("answers.json"))
}

// coldStarts starts each server some times, in turns.
func coldStarts(ctx context.Context, all []*contender, times int) error {
	for range times {
		for _, c := range all {
			process, err := c.kind.Start(ctx)
			if err != nil {
				return err
			}
			c.cold = append(c.cold, process.Cold)
			process.Stop()
		}
	}
	return nil
}

// start starts the servers for the rounds, reads their idle memory and connects:
// last, for a server hangs up on who connects and says nothing.
func start(ctx context.Context, all []*contender, connections int) error {
	for _, c := range all {
		var err error
		if c.process, err = c.kind.Start(ctx); err != nil {
			return err
		}
	}
	for _, c := range all {
		if err := c.process.Settle(ctx); err != nil {
			return err
		}
		var err error
		if c.idle, err = c.process.Memory(); err != nil {
			return err
		}
	}
	for _, c := range all {
		var err error
		if c.driver, err = load.NewDriver(ctx, c.process.Addr, connections, c.process.CPU); err != nil {
			return err
		}
	}
	return nil
}

// stop ends what start has begun.
func stop(all []*contender) {
	for _, c := range all {
		if c.driver != nil {
			c.driver.Close()
		}
		if c.process != nil {
			c.process.Stop()
		}
	}
}

// batch sends one batch, after what leads up to it.
func (c *contender) batch(ctx context.Context, s *scenario, n int) (*load.Batch, error) {
	if s.warm > 0 {
		if _, err := c.driver.Send(ctx, &s.request, s.warm, s.want); err != nil {
			return nil, err
		}
	}
	batch, err := exact(ctx, c.driver, &s.request, n, s.want)
	if err != nil {
		err = fmt.Errorf("%s, %s: %w", c.kind.Name, s.name, err)
	}
	return batch, errors.Join(err, ctx.Err())
}

// exact sends a batch and insists on right answers: a wrong one has another cost.
func exact(ctx context.Context, driver *load.Driver, request *load.Request, n, want int) (*load.Batch, error) {
	batch, err := driver.Send(ctx, request, n, want)
	if err == nil && batch.Wrong > 0 {
		err = fmt.Errorf("%d of %d answers are not %d", batch.Wrong, n, want)
	}
	return batch, err
}

// warmUp finds how many requests fill a slice of time.
func (c *contender) warmUp(ctx context.Context, s *scenario, slice time.Duration) error {
	n := 500
	for range 3 {
		batch, err := c.batch(ctx, s, n)
		if err != nil {
			return err
		}
		n = min(max(int(batch.PerSecond()*slice.Seconds()), 100), 50_000)
	}
	c.sizes[s.name] = n
	return nil
}

// rounds lets all servers answer each scenario once a round, in another order each
// time, so that what disturbs the machine disturbs them alike.
func rounds(ctx context.Context, all []*contender, list []*scenario, o *options) error {
	for _, s := range list {
		for _, c := range all {
			if c.takes(s) {
				if err := c.warmUp(ctx, s, o.slice); err != nil {
					return err
				}
			}
		}
	}
	for round := range o.rounds {
		for i, s := range list {
			for j := range all {
				c := all[(round+i+j)%len(all)]
				if !c.takes(s) {
					continue
				}
				batch, err := c.batch(ctx, s, c.sizes[s.name])
				if err != nil {
					return err
				}
				c.batches[s.name] = append(c.batches[s.name], batch)
			}
		}
	}
	for _, c := range all {
		var err error
		if c.loaded, err = c.process.Memory(); err != nil {
			return err
		}
	}
	return nil
}
