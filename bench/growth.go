package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"frontdesk/bench/load"
	"frontdesk/bench/server"
)

// Growth shows how costs grow with one size.
type Growth struct {
	Of      string // what grows
	Columns []string
	Points  []Point
}

// Point holds the figures at one size, in the order of the columns.
type Point struct {
	Size    int
	Figures []float64
}

// grow measures all growths, with the whole service on generated content or with
// generated callers.
func (w *workshop) grow(ctx context.Context, only string) ([]Growth, error) {
	var all []Growth
	for _, g := range []struct {
		name string
		grow func(context.Context) (Growth, error)
	}{
		{"entries", w.growEntries}, {"services", w.growServices}, {"clients", w.growClients},
		{"connections", w.growConnections},
	} {
		if only != "" && only != g.name {
			continue
		}
		fmt.Fprintln(os.Stderr, "growth:", g.name)
		growth, err := g.grow(ctx)
		if err != nil {
			return nil, fmt.Errorf("growth of %s: %w", g.name, err)
		}
		all = append(all, growth)
	}
	return all, nil
}

// site is a running service with connections to it.
type site struct {
	*server.Process
	driver *load.Driver
}

const usualConnections = 8

func (w *workshop) open(ctx context.Context, content string, connections int) (*site, error) {
	return w.openKind(ctx, w.frontdesk(content), connections)
}

func (w *workshop) openKind(ctx context.Context, kind server.Kind, connections int) (*site, error) {
	process, err := kind.Start(ctx)
	if err != nil {
		return nil, err
	}
	if err := process.Settle(ctx); err != nil {
		process.Stop()
		return nil, err
	}
	driver, err := load.NewDriver(ctx, process.Addr, connections, process.CPU)
	if err != nil {
		process.Stop()
		return nil, err
	}
	return &site{process, driver}, nil
}

func (s *site) close() {
	s.driver.Close()
	s.Stop()
}

// send sends a batch after a smaller one that warms up the service.
func (s *site) send(ctx context.Context, request *load.Request, n, want int) (*load.Batch, error) {
	if _, err := exact(ctx, s.driver, request, max(n/4, 1), want); err != nil {
		return nil, err
	}
	return exact(ctx, s.driver, request, n, want)
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
func mebi(bytes int64) float64       { return float64(bytes) / (1 << 20) }

// growEntries measures a question for the selector, with more and more entries.
func (w *workshop) growEntries(ctx context.Context) (Growth, error) {
	g := Growth{Of: "FAQ entries",
		Columns: []string{"CPU of a question (µs)", "p50 (µs)", "exact wording, CPU (µs)", "start (s)",
			"idle memory (MiB)"}}
	for _, n := range []int{10, 100, 1000, 10_000, 100_000} {
		made, err := w.content(n, 1)
		if err != nil {
			return g, err
		}
		s, err := w.open(ctx, made.folder, usualConnections)
		if err != nil {
			return g, err
		}
		figures, err := s.askCosts(ctx, made)
		s.close()
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, figures})
	}
	return g, nil
}

func (s *site) askCosts(ctx context.Context, made *madeContent) ([]float64, error) {
	memory, err := s.Memory()
	if err != nil {
		return nil, err
	}
	near, err := s.send(ctx, question("please "+made.question), 2000, 200)
	if err != nil {
		return nil, err
	}
	exact, err := s.send(ctx, question(made.question), 2000, 200)
	if err != nil {
		return nil, err
	}
	return []float64{micros(near.Each()), micros(near.P50), micros(exact.Each()), s.Cold.Seconds(), mebi(memory)}, nil
}
