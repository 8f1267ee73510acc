package main

import (
	"context"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
)

// growServices measures the catalog with more and more services, its 304, and the limit
// that sends the same bytes.
func (w *workshop) growServices(ctx context.Context) (Growth, error) {
	g := Growth{Of: "services in the catalog",
		Columns: []string{"CPU of the catalog (µs)", "of the limit (µs)", "of it compressed (µs)", "of a 304 (µs)",
			"bytes", "compressed", "start (s)"}}
	for _, n := range []int{1, 10, 100, 1000, 10_000} {
		made, err := w.content(10, n)
		if err != nil {
			return g, err
		}
		s, err := w.open(ctx, made.folder, usualConnections)
		if err != nil {
			return g, err
		}
		requests := max(2_000_000/(n+200), 200)
		figures, err := s.catalogCosts(ctx, requests)
		if err == nil {
			figures[1], err = w.limitOfCatalog(ctx, s, requests)
		}
		s.close()
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, figures})
	}
	return g, nil
}

// catalogCosts returns the figures of growServices without the limit's.
func (s *site) catalogCosts(ctx context.Context, requests int) ([]float64, error) {
	var costs, sizes []float64
	for _, form := range []struct {
		header []string
		want   int
	}{{nil, 200}, {[]string{"Accept-Encoding", "gzip"}, 200}, {[]string{"If-None-Match", "*"}, 304}} {
		request := catalog
		request.Header = form.header
		batch, err := s.send(ctx, &request, requests, form.want)
		if err != nil {
			return nil, err
		}
		answer, err := load.Once(ctx, s.Addr, &request)
		if err != nil {
			return nil, err
		}
		costs, sizes = append(costs, micros(batch.Each())), append(sizes, float64(len(answer.Body)))
	}
	return []float64{costs[0], 0, costs[1], costs[2], sizes[0], sizes[1], s.Cold.Seconds()}, nil
}

// limitOfCatalog returns the CPU time that bare net/http needs to send the catalog of s.
func (w *workshop) limitOfCatalog(ctx context.Context, s *site, requests int) (float64, error) {
	if err := w.recordFrom(ctx, s.Addr, []*scenario{
		{name: recorded.Health, want: 200, request: health}, {name: recorded.Catalog, want: 200, request: catalog},
	}); err != nil {
		return 0, err
	}
	bare, err := w.openKind(ctx, w.peer(limit, limit), usualConnections)
	if err != nil {
		return 0, err
	}
	defer bare.close()
	batch, err := bare.send(ctx, &catalog, requests, 200)
	if err != nil {
		return 0, err
	}
	return micros(batch.Each()), nil
}
