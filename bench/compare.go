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

// contender is a server in the comparison.
type contender struct {
	kind    server.Kind
	program string // the name of its binary
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

// record stores frontdesk's answer to each scenario for the other servers.
func (w *workshop) record(ctx context.Context, all []*scenario) error {
	kind := w.frontdesk("")
	process, err := kind.Start(ctx)
	if err != nil {
		return err
	}
	defer process.Stop()
	return w.recordFrom(ctx, process.Addr, all)
}

// recordFrom stores the answers of the server at an address.
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

// coldStarts starts the servers several times, in turns.
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

// start starts the servers for the rounds, reads their idle memory and then connects.
// Connecting is last, because servers close silent connections.
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

// stop ends the servers and connections of start.
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

// batch sends one batch, after the requests that prepare it.
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

// exact sends a batch and fails on wrong answers, because they have other costs.
func exact(ctx context.Context, driver *load.Driver, request *load.Request, n, want int) (*load.Batch, error) {
	batch, err := driver.Send(ctx, request, n, want)
	if err == nil && batch.Wrong > 0 {
		err = fmt.Errorf("%d of %d answers are not %d", batch.Wrong, n, want)
	}
	return batch, err
}

// warmUp finds out how many requests fill a slice of time.
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

// rounds sends each scenario to all servers once a round, in a new order each time, so
// that disturbances of the machine affect all of them alike.
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
