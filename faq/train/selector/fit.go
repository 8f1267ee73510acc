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
	"frontdesk/faq/semantic"
)

type fitCmd struct {
	dataFlag
	foldFlags
	Desks  string `default:"testdata/desks" help:"Folder of the training desks."`
	Rich   string `default:"testdata/wordings" help:"Folder of the training desks of many wordings."`
	Facts  string `default:"testdata/facts" help:"Folder of the training desks whose questions the catalog answers."`
	Out    string `default:"faq/semantic/data" help:"Folder to write to."`
	Judges string `help:"Folder to write the parameters to that judge each public set without having seen it."`
	Judged string `default:"faq/train/selector/judged.json" help:"Questions judged before, for a fit without folds."`
	Check  bool   `help:"Print only how the desks fare in cross-validation."`
}

const fitFolds = 4

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
	rich, err := readDesks(c.Rich)
	if err != nil {
		return err
	}
	facts, err := readFacts(c.Facts)
	if err != nil {
		return err
	}
	for i, d := range append(rich, facts...) {
		all = append(all, d, withoutEntries(d, rand.New(rand.NewPCG(9, uint64(i)))))
	}
	centres := centresOf(e, desks)
	var rankers *semantic.Parameters // those that are kept
	if c.Folds == "" {
		if rankers, err = readParameters(c.Out, ""); err != nil {
			return err
		}
		centres = rankers.Centres
	}
	cases := gather(e, unfitted(centres), all, os.Stderr)
	if err := e.flush(); err != nil {
		return err
	}
	if c.Folds == "" {
		if err := readJudged(c.Judged, cases); err != nil {
			return err
		}
	}
	judged := crossValidate(centres, cases, fitFolds, rankers)
	report(os.Stdout, judged)
	if c.Check {
		return nil
	}
	p := fitParameters(centres, cases, rankers)
	measure(p, judged)
	var own []*judgement
	for i := range judged {
		if j := &judged[i]; j.few && j.desk.name == j.desk.group {
			own = append(own, j)
		}
	}
	printForms(os.Stdout, own, p)
	fmt.Printf("far below %.2f (few) %.2f (many)\nfew %v\nmany %v\n",
		p.Few.Far, p.Many.Far, p.Few.Answers, p.Many.Answers)
	if err := writeParameters(c.Out, "", p); err != nil || c.Judges == "" {
		return err
	}
	if err := writeParameters(c.Judges, "", p); err != nil {
		return err
	}
	for _, set := range trainingSets {
		others := slices.DeleteFunc(slices.Clone(cases), func(k fitCase) bool { return k.desk.group == set })
		p := fitParameters(centres, others, rankers)
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

// summary prints accuracy, recall, how well confidence separates questions in scope from near ones out of scope, and
// what is answered at some precisions.
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
	slices.SortFunc(judged, func(x, y *judgement) int { return cmp.Compare(y.confidence, x.confidence) })
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
