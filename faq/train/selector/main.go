// Command selector makes what the embedded selector ships and measures it on public
// data sets. See docs/selector.md.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"frontdesk/faq/lexical"
)

func main() {
	var commands struct {
		Calibrate calibrateCmd `cmd:"" help:"Make the knowledge that is shipped."`
		Fit       fitCmd       `cmd:"" help:"Fit the parameters by which meaning and words are weighed."`
		Desks     desksCmd     `cmd:"" help:"Judge the shipped parameters on desks."`
		Table     tableCmd     `cmd:"" help:"Measure the selector on every data set."`
	}
	if err := kong.Parse(&commands).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type dataFlag struct {
	Data folder `default:"../shared/data" help:"Folder of the data sets."`
}

type calibrateCmd struct {
	dataFlag
	Out string `default:"faq/lexical/data" help:"Folder to write to."`
}

// Run writes what the training parts of all sets teach.
func (c *calibrateCmd) Run() error {
	sim, err := newSimulator(c.Data, os.Stderr)
	if err != nil {
		return err
	}
	words, _ := sim.background()
	return errors.Join(
		os.WriteFile(filepath.Join(c.Out, "words.txt"), words, 0o644),
		writeJSON(filepath.Join(c.Out, "calibration.json"), sim.calibrate("")))
}

type tableCmd struct {
	dataFlag
	foldFlags
	Plot    string   `help:"File to draw the risk over the coverage to (SVG)."`
	Only    []string `sep:"none" help:"Only the rows whose name contains this; may be given several times."`
	NoTypos bool     `help:"Leave out the rows of questions with typing errors."`
	Judges  string   `help:"Folder with the parameters that the fit wrote for judging a set without having seen it; empty for words only."`
}

// Run prints the table. A set is judged by what was learnt without it.
func (c *tableCmd) Run() error {
	sim, err := newSimulator(c.Data, os.Stderr)
	if err != nil {
		return err
	}
	e := &examiner{data: c.Data, sim: sim, known: map[string]*lexical.Knowledge{}, judges: c.Judges}
	if c.Judges != "" {
		if e.encoder, err = c.openFolds(); err != nil {
			return err
		}
		defer e.encoder.flush()
	}
	for _, t := range trials {
		if c.wants(t.name) {
			if err := e.run(t, os.Stdout); err != nil {
				return err
			}
		}
	}
	if err := c.typos(e); err != nil || c.Plot == "" {
		return err
	}
	return draw(c.Plot, e.drawn)
}

// wants reports whether the row of a name is asked for.
func (c *tableCmd) wants(name string) bool {
	return len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(part string) bool { return strings.Contains(name, part) })
}

// typos prints the rows of every trial of a kind of content.
func (c *tableCmd) typos(e *examiner) error {
	for _, t := range trials {
		if name := t.name + ", " + typosName; t.mistyped && !c.NoTypos && c.wants(name) {
			fmt.Println(name)
			if err := e.typos(t, os.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}
