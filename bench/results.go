package main

import (
	"os"
	"slices"
	"time"

	"frontdesk/bench/load"
	"frontdesk/bench/report"
)

// Results are all figures of a run, as --json prints them.
type Results struct {
	Machine     Machine
	Rounds      int
	Connections int
	Rows        []Row     `json:",omitempty"`
	Processes   []Process `json:",omitempty"`
	Growth      []Growth  `json:",omitempty"`
}

// Row compares every server with the limit in one scenario.
type Row struct {
	Scenario string
	Target   float64
	Servers  map[string]Figures
}

// Figures are the costs of a server in one scenario.
type Figures struct {
	CPU        report.Spread // of a request, as a ratio to the limit
	P50, P99   report.Spread // time to the answer, as a ratio to the limit
	Throughput report.Spread // requests a second, as a ratio to the limit
	MicrosCPU  float64       // of a request: the median of the rounds
	MicrosP50  float64
}

// Process holds the costs of a server apart from its requests.
type Process struct {
	Server                    string
	ColdMillis                report.Spread // from the start of the process to the first 200
	IdleMiB, LoadedMiB, SizeM float64       // resident set before and after the rounds; the stripped program in MB (10^6)
}

// rows compares batches of the same round.
func rows(all []*contender, list []*scenario) []Row {
	var table []Row
	bare := all[slices.IndexFunc(all, func(c *contender) bool { return c.kind.Name == limit })]
	for _, s := range list {
		row := Row{s.name, s.target, map[string]Figures{}}
		for _, c := range all {
			if own := c.batches[s.name]; len(own) > 0 {
				row.Servers[c.kind.Name] = figures(own, bare.batches[s.name])
			}
		}
		table = append(table, row)
	}
	return table
}

func figures(own, base []*load.Batch) Figures {
	ratio := func(of func(*load.Batch) float64) report.Spread {
		var ratios []float64
		for i := range own {
			ratios = append(ratios, of(own[i])/of(base[i]))
		}
		return report.SpreadOf(ratios)
	}
	median := func(of func(*load.Batch) time.Duration) float64 {
		var each []float64
		for _, batch := range own {
			each = append(each, micros(of(batch)))
		}
		return report.SpreadOf(each).Median
	}
	return Figures{
		CPU:        ratio(func(b *load.Batch) float64 { return float64(b.Each()) }),
		P50:        ratio(func(b *load.Batch) float64 { return float64(b.P50) }),
		P99:        ratio(func(b *load.Batch) float64 { return float64(b.P99) }),
		Throughput: ratio((*load.Batch).PerSecond),
		MicrosCPU:  median((*load.Batch).Each),
		MicrosP50:  median(func(b *load.Batch) time.Duration { return b.P50 }),
	}
}

func (w *workshop) processes(all []*contender) ([]Process, error) {
	var table []Process
	for _, c := range all {
		info, err := os.Stat(w.path(c.program))
		if err != nil {
			return nil, err
		}
		var millis []float64
		for _, cold := range c.cold {
			millis = append(millis, cold.Seconds()*1e3)
		}
		table = append(table, Process{c.kind.Name, report.SpreadOf(millis),
			mebi(c.idle), mebi(c.loaded), float64(info.Size()) / 1e6})
	}
	return table, nil
}
