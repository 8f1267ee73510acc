// Command bench compares frontdesk with the physical limit and its peers, in one run on
// one machine, and measures how its costs grow. The figures are ratios, because the speed
// of a machine changes from hour to hour.
//
// It is a separate module, so that the peers are not dependencies of the service. make
// bench runs it; make figures writes its results into the documents.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"frontdesk/bench/server"
)

// options are the flags.
type options struct {
	only, question, grow, docs   string
	rounds, connections, colds   int
	slice                        time.Duration
	growth, compare, json, apart bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.BoolVar(&o.compare, "compare", true, "compare with the limit and the peers")
	flags.StringVar(&o.only, "only", "", "only these `scenarios`, separated by commas")
	flags.IntVar(&o.rounds, "rounds", 11, "rounds; in each round every server answers every scenario")
	flags.DurationVar(&o.slice, "slice", 150*time.Millisecond, "how long one batch of requests takes")
	flags.IntVar(&o.connections, "connections", usualConnections, "connections at once")
	flags.IntVar(&o.colds, "cold", 7, "cold starts of each server")
	flags.StringVar(&o.question, "question", "What does it cost?", "the question; an entry of the sample must answer it")
	flags.BoolVar(&o.apart, "apart", true, "keep the driver on a processor of its own")
	flags.BoolVar(&o.growth, "growth", false, "also measure how costs grow; takes some minutes")
	flags.StringVar(&o.grow, "grow", "", "only this growth: entries, services, clients or connections")
	flags.BoolVar(&o.json, "json", false, "print all figures as JSON")
	flags.StringVar(&o.docs, "docs", "", "rewrite the figures of performance.md and scale.md in this `folder`")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.rounds < 1 || o.connections < 1 || o.colds < 1 || o.slice <= 0 {
		return nil, errors.New("rounds, connections, cold and slice must be above 0")
	}
	o.growth = o.growth || o.grow != ""
	return &o, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	results, err := measure(ctx, o)
	if err != nil {
		return err
	}
	if o.json {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(results)
	} else {
		fmt.Fprint(out, results.text())
	}
	if o.docs != "" {
		err = errors.Join(err, results.rewrite(filepath.Join(o.docs, "performance.md"), filepath.Join(o.docs, "scale.md")))
	}
	return err
}

// measure does everything that the options request, in a temporary folder.
func measure(ctx context.Context, o *options) (_ *Results, err error) {
	folder, err := os.MkdirTemp("", "frontdesk-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	w := &workshop{folder: folder, apart: o.apart}
	if err := w.build(ctx); err != nil {
		return nil, err
	}
	if o.apart {
		if err := server.KeepApart(); err != nil {
			return nil, err
		}
	}
	results := &Results{Machine: thisMachine(o.apart), Rounds: o.rounds, Connections: o.connections}
	if o.compare {
		if err := w.compare(ctx, o, results); err != nil {
			return nil, err
		}
	}
	if o.growth {
		if results.Growth, err = w.grow(ctx, o.grow); err != nil {
			return nil, err
		}
	}
	results.Machine.Load += " before, " + loadAverage() + " after"
	return results, nil
}

// compare fills the rows and the processes of the results.
func (w *workshop) compare(ctx context.Context, o *options, results *Results) error {
	list := scenarios(o.question)
	if err := w.record(ctx, list); err != nil {
		return err
	}
	if o.only != "" {
		list = chosen(list, strings.Split(o.only, ","))
	}
	all := w.contenders()
	if err := coldStarts(ctx, all, o.colds); err != nil {
		return err
	}
	defer stop(all)
	if err := start(ctx, all, o.connections); err != nil {
		return err
	}
	if err := rounds(ctx, all, list, o); err != nil {
		return err
	}
	results.Rows = rows(all, list)
	var err error
	results.Processes, err = w.processes(all)
	return err
}

func chosen(all []*scenario, names []string) (list []*scenario) {
	for _, s := range all {
		for _, name := range names {
			if s.name == strings.TrimSpace(name) {
				list = append(list, s)
			}
		}
	}
	return list
}
