package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
)

type fitCmd struct {
	dataFlag
	foldFlags
	Desks  string `default:"testdata/desks" help:"Folder of the training desks."`
	Out    string `default:"faq/semantic/data" help:"Folder to write to."`
	Judges string `help:"Folder to write the parameters to that judge each public set without having seen it."`
	Check  bool   `help:"Print only how the desks fare in cross-validation."`
}

const fitFolds = 6

// Run fits the parameters of package semantic.
func (c *fitCmd) Run() error {
	desks, err := readDesks(c.Desks)
	if err != nil {
		return err
	}
	e, err := c.openFolds()
	if err != nil {
		return err
	}
	sim, err := newSimulator(c.Data, io.Discard)
	if err != nil {
		return err
	}
	all := slices.Clone(desks)
	for i, d := range desks {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		all = append(all, withoutEntries(d, rng), withAlternates(d, rng))
	}
	all = append(all, sim.publicDesks()...)
	centres := centresOf(e, desks)
	cases := gather(e, unfitted(centres), all, os.Stderr)
	if err := e.flush(); err != nil {
		return err
	}
	judged := crossValidate(centres, cases, fitFolds)
	report(os.Stdout, judged)
	if c.Check {
		return nil
	}
	p := fitParameters(centres, cases)
	measure(p, judged)
	fmt.Printf("sure by words from %.3f (few) %.3f (many); far below %.2f (few) %.2f (many)\nfew %v\nmany %v\n",
		p.Few.Words, p.Many.Words, p.Few.Far, p.Many.Far, p.Few.Answers, p.Many.Answers)
	if err := writeParameters(c.Out, "", p); err != nil || c.Judges == "" {
		return err
	}
	if err := writeParameters(c.Judges, "", p); err != nil {
		return err
	}
	for _, set := range trainingSets {
		others := slices.DeleteFunc(slices.Clone(cases), func(k fitCase) bool { return k.desk.group == set })
		p := fitParameters(centres, others)
		measure(p, slices.DeleteFunc(slices.Clone(judged), func(j judgement) bool { return j.desk.group == set }))
		if err := writeParameters(c.Judges, set, p); err != nil {
			return err
		}
	}
	return nil
}

// helpPages are the training desks of one wording an entry and longer answers, which are asked in words close to it.
var helpPages = map[string]bool{
	"library": true, "mobile-network": true, "online-shop": true, "photo-cloud": true, "stadtwerke": true,
}

// report prints how groups of desks fared.
func report(out io.Writer, judged []judgement) {
	own := func(j *judgement) bool {
		return !j.desk.public && j.desk.name == j.desk.group && !helpPages[j.desk.name]
	}
	public := func(alternates int) func(j *judgement) bool {
		return func(j *judgement) bool {
			return j.desk.public && strings.Contains(j.desk.name, fmt.Sprintf(", %d alternates", alternates))
		}
	}
	for _, group := range []struct {
		name string
		has  func(j *judgement) bool
	}{
		{"desks, English", func(j *judgement) bool { return own(j) && j.desk.language == "en" }},
		{"desks, German", func(j *judgement) bool { return own(j) && j.desk.language == "de" }},
		{"desks, other", func(j *judgement) bool { return own(j) && j.desk.language != "de" && j.desk.language != "en" }},
		{"desks", own},
		{"help pages", func(j *judgement) bool { return helpPages[j.desk.name] }},
		{"fewer entries", func(j *judgement) bool { return strings.HasSuffix(j.desk.name, "entries") && !j.desk.public }},
		{"more alternates", func(j *judgement) bool { return strings.HasSuffix(j.desk.name, "more alternates") }},
		{"public, 0", public(0)}, {"public, 1", public(1)}, {"public, 4", public(4)},
		{"public, 9", public(9)}, {"public, 20", public(20)}, {"public, 60", public(60)},
		{"stackfaq, 0", func(j *judgement) bool { return strings.HasPrefix(j.desk.name, "stackfaq, 0") }},
	} {
		var some []*judgement
		for i := range judged {
			if group.has(&judged[i]) {
				some = append(some, &judged[i])
			}
		}
		fmt.Fprintln(out, group.name, summary(some))
	}
}

// summary prints accuracy, recall, how well sureness separates questions in scope from near ones out of scope, and what
// is
// answered at some precisions.
func summary(judged []*judgement) string {
	var b strings.Builder
	var own, first, words, five, ownWeight, nears, indirect, indirectFirst float64
	var notFar []*judgement
	for _, j := range judged {
		if !j.question.far {
			notFar = append(notFar, j)
		}
		if j.question.entry < 0 {
			if !j.question.far {
				nears++
			}
			continue
		}
		own++
		ownWeight += j.weight
		first += lexical.Indicator(j.right())
		if j.question.kind() == roundabout {
			indirect++
			indirectFirst += lexical.Indicator(j.right())
		}
		if slices.Contains(j.best[:min(5, len(j.best))], j.question.entry) {
			five++
		}
		if len(j.words.Best) > 0 && j.words.Best[0] == j.question.entry {
			words++
		}
	}
	fmt.Fprintf(&b, "(words %.1f) %.1f / %.1f", 100*words/own, 100*first/own, 100*five/own)
	if indirect > 0 {
		fmt.Fprintf(&b, ", indirect and long %.1f", 100*indirectFirst/indirect)
	}
	fmt.Fprintf(&b, ", AUROC against near %s", percent(evaluation.New(resultsOf(notFar, false)).AUROC))
	slices.SortFunc(judged, func(x, y *judgement) int { return cmp.Compare(y.sureness, x.sureness) })
	for _, precision := range []float64{0.85, 0.9, 0.95} {
		var right, all, near, bestRight, bestNear float64
		for n, j := range judged {
			all += j.weight
			if j.right() {
				right += j.weight
			} else if j.question.kind() == nearMiss {
				near++
			}
			if n >= 10 && right >= precision*all {
				bestRight, bestNear = right, near
			}
		}
		fmt.Fprintf(&b, "; at precision %.0f %.1f near %.1f", 100*precision, 100*bestRight/ownWeight,
			100*bestNear/max(nears, 1))
	}
	return b.String()
}
