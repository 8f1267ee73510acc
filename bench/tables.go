package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"frontdesk/bench/report"
)

// Targets of the costs apart from requests, with the encoder in the program.
const (
	targetColdMillis = 150 // of a start that finds the vectors of its texts on disk
	targetIdleMiB    = 120
	targetSizeMB     = 85
)

// text returns all results as Markdown.
func (r *Results) text() string {
	var b strings.Builder
	for _, part := range []string{r.ratios(), r.rest(), r.costs(), r.growths()} {
		if part != "" {
			b.WriteString(part + "\n")
		}
	}
	return b.String()
}

// ratios returns the table of CPU times.
func (r *Results) ratios() string {
	if len(r.Rows) == 0 {
		return ""
	}
	t := report.NewTable("CPU of a request / limit", "target", frontdesk, noise, mcpGo, goSDK, "p50 / limit", "CPU (µs)")
	for _, row := range r.Rows {
		own := row.Servers[frontdesk]
		t.Add(row.Scenario, fmt.Sprintf("≤ %.2f", row.Target), own.CPU.String()+above(own.CPU.Median, row.Target),
			row.Servers[noise].CPU.String(),
			peer(row, mcpGo), peer(row, goSDK), own.P50.String(), fmt.Sprintf("%.1f", own.MicrosCPU))
	}
	return t.String() + fmt.Sprintf("\nMedian of %d rounds [quartiles], %d connections. Two equal servers differ by up "+
		"to %.0f%%. %s.\n",
		r.Rounds, r.Connections, 100*r.noise(), r.Machine)
}

func peer(row Row, name string) string {
	figures, ok := row.Servers[name]
	if !ok {
		return "-"
	}
	return figures.CPU.String()
}

// noise returns the largest difference between the two equal servers.
func (r *Results) noise() (largest float64) {
	for _, row := range r.Rows {
		largest = max(largest, math.Abs(row.Servers[noise].CPU.Median-1))
	}
	return largest
}

// rest returns the table of the costs apart from requests.
func (r *Results) rest() string {
	if len(r.Processes) == 0 {
		return ""
	}
	t := report.NewTable("", "cold start (ms)", "idle memory (MiB)", "after the rounds (MiB)", "program (MB)")
	t.Add("target", fmt.Sprintf("≤ %d", targetColdMillis), fmt.Sprintf("≤ %d", targetIdleMiB), "",
		fmt.Sprintf("≤ %d", targetSizeMB))
	for _, p := range r.Processes {
		cold, idle, size := "", "", ""
		if p.Server == frontdesk {
			cold, idle, size = above(p.ColdMillis.Median, targetColdMillis), above(p.IdleMiB, targetIdleMiB),
				above(p.SizeM, targetSizeMB)
		}
		t.Add(p.Server, fmt.Sprintf("%.1f [%.1f-%.1f]", p.ColdMillis.Median, p.ColdMillis.Low, p.ColdMillis.High)+cold,
			fmt.Sprintf("%.1f", p.IdleMiB)+idle, fmt.Sprintf("%.1f", p.LoadedMiB), fmt.Sprintf("%.1f", p.SizeM)+size)
	}
	return t.String()
}

// above marks a figure that misses its target.
func above(figure, target float64) string {
	if figure > target {
		return " above"
	}
	return ""
}

// The machines of the estimate in docs/scale.md.
const (
	million     = 1e6
	coresEach   = 16
	mostlyBusy  = 0.5 // of a core's time: the rest is for peaks, the kernel and failed machines
	microsInSec = 1e6
)

// costs returns a table of the machines for a million requests a second, by kind.
func (r *Results) costs() string {
	if len(r.Rows) == 0 {
		return ""
	}
	t := report.NewTable("a million a second of", "CPU of one (µs)", "cores busy",
		fmt.Sprintf("machines of %d cores, half busy", coresEach))
	for _, row := range r.Rows {
		each := row.Servers[frontdesk].MicrosCPU
		cores := million * each / microsInSec
		t.Add(row.Scenario, fmt.Sprintf("%.1f", each), fmt.Sprintf("%.0f", cores),
			fmt.Sprintf("%.0f", math.Ceil(cores/mostlyBusy/coresEach)))
	}
	return t.String()
}

// growths returns a table for each growth.
func (r *Results) growths() string {
	var b strings.Builder
	for _, g := range r.Growth {
		t := report.NewTable(append([]string{g.Of}, g.Columns...)...)
		for _, p := range g.Points {
			cells := []string{strconv.Itoa(p.Size)}
			for _, figure := range p.Figures {
				cells = append(cells, short(figure))
			}
			t.Add(cells...)
		}
		b.WriteString(t.String() + "\n")
	}
	if len(r.Growth) > 0 && len(r.Rows) == 0 {
		b.WriteString(r.Machine.String() + ".\n")
	}
	return b.String()
}

// short formats a figure with at least three significant digits.
func short(figure float64) string {
	switch {
	case figure >= 100:
		return fmt.Sprintf("%.0f", figure)
	case figure >= 10:
		return fmt.Sprintf("%.1f", figure)
	}
	return fmt.Sprintf("%.2f", figure)
}

// rewrite writes the tables into the documents.
func (r *Results) rewrite(performance, scale string) error {
	var failures []error
	for _, s := range []struct{ path, name, text string }{
		{performance, "ratios", r.ratios()}, {performance, "process", r.rest()},
		{performance, "growth", r.growths()}, {scale, "machines", r.costs()},
	} {
		if s.text != "" {
			failures = append(failures, report.Rewrite(s.path, s.name, s.text))
		}
	}
	return errors.Join(failures...)
}
