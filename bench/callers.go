package main

import (
	"context"
	"encoding/json"
	"time"

	"frontdesk/bench/load"
)

func question(q string) *load.Request {
	body, _ := json.Marshal(map[string]string{"q": q}) // strings always have a JSON form
	return &load.Request{Method: "POST", Path: "/v1/ask", Body: string(body),
		Header: []string{"Content-Type", "application/json"}}
}

// growClients measures questions of more and more clients within the time that the
// limiter remembers them, at most two windows.
func (w *workshop) growClients(ctx context.Context) (Growth, error) {
	g := Growth{Of: "clients in the limiter",
		Columns: []string{"CPU of a question (µs)", "p99 (ms)", "memory above idle (MiB)", "seconds to send them"}}
	s, err := w.open(ctx, "", usualConnections)
	if err != nil {
		return g, err
	}
	defer s.close()
	ask := question("What does it cost?")
	// allocates the buffers of the first requests before the idle memory is read
	if _, err := s.send(ctx, ask, 1000, 200); err != nil {
		return g, err
	}
	idle, err := s.Memory()
	if err != nil {
		return g, err
	}
	sent, began := 0, time.Now()
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		batch, err := exact(ctx, s.driver, ask, n-sent, 200)
		if err != nil {
			return g, err
		}
		memory, err := s.Memory()
		if err != nil {
			return g, err
		}
		sent = n
		g.Points = append(g.Points, Point{n, []float64{micros(batch.Each()), micros(batch.P99) / 1e3,
			max(mebi(memory-idle), 0), time.Since(began).Seconds()}})
	}
	return g, nil
}

// growConnections measures the health check over more and more concurrent connections.
func (w *workshop) growConnections(ctx context.Context) (Growth, error) {
	g := Growth{Of: "connections",
		Columns: []string{"CPU of a health check (µs)", "p50 (ms)", "requests a second", "memory (MiB)"}}
	for _, n := range []int{1, 10, 100, 1000, 10_000} {
		s, err := w.open(ctx, "", n)
		if err != nil {
			return g, err
		}
		batch, err := s.send(ctx, &health, max(20_000, 4*n), 200)
		var memory int64
		if err == nil {
			memory, err = s.Memory()
		}
		s.close()
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n,
			[]float64{micros(batch.Each()), micros(batch.P50) / 1e3, batch.PerSecond(), mebi(memory)}})
	}
	return g, nil
}
