package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"frontdesk/faq/meaning"
)

type fitCmd struct {
	dataFlag
	encoderFlags
	Desks   string `default:"testdata/desks" help:"Folder of the training desks."`
	Out     string `default:"faq/meaning/data" help:"Folder to write to."`
	Folds   string `help:"File that lists the encoders that were not tuned on some of the desks' texts (folds.json of tools/encoder/train), which encode these."`
	Centres bool   `help:"Compute the centres anew as well."`
	Judges  string `help:"Folder to write the parameters to that judge each public set without having seen it."`
	Check   bool   `help:"Print only how the desks fare in cross-validation."`
}

const fitFolds = 6

// Run fits the parameters of package meaning.
func (c *fitCmd) Run() error {
	desks, err := readDesks(c.Desks)
	if err != nil {
		return err
	}
	e, err := c.openFolds(c.Folds)
	if err != nil {
		return err
	}
	centres, err := meaning.ShippedCentres()
	if err != nil {
		return err
	}
	if c.Centres {
		centres = centresOf(e, desks)
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
	cases := gather(e, centres, all, os.Stderr)
	if err := e.flush(); err != nil {
		return err
	}
	judged := meaning.CrossValidate(centres, cases, fitFolds)
	report(os.Stdout, judged)
	if c.Check {
		return nil
	}
	p := meaning.Fit(centres, cases)
	p.Measure(judged)
	fmt.Printf("sure by words from %.3f (few) %.3f (many); far below %.2f (few) %.2f (many)\nfew %v\nmany %v\n", p.Few.Words, p.Many.Words, p.Few.Far, p.Many.Far, p.Few.Answers, p.Many.Answers)
	if err := p.Write(c.Out, ""); err != nil || c.Judges == "" {
		return err
	}
	if err := p.Write(c.Judges, ""); err != nil {
		return err
	}
	for _, set := range trainingSets {
		others := slices.DeleteFunc(slices.Clone(cases), func(k meaning.Case) bool { return k.Group() == set })
		p := meaning.Fit(centres, others)
		p.Measure(slices.DeleteFunc(slices.Clone(judged), func(j meaning.Judged) bool { return j.Desk.Group == set }))
		if err := p.Write(c.Judges, set); err != nil {
			return err
		}
	}
	return nil
}

// centresOf computes the centres from the training desks.
func centresOf(e meaning.Encoder, desks []*meaning.Desk) *meaning.Centres {
	var queries, passages []string
	for _, d := range desks {
		for i := range d.Entries {
			queries = append(append(queries, d.Entries[i].Question), d.Entries[i].Alternates...)
			passages = append(passages, d.Entries[i].Question+" "+d.Entries[i].Answer)
		}
		for _, q := range d.Questions {
			queries = append(queries, q.Text)
		}
	}
	return meaning.NewCentres(e, queries, passages)
}

// helpPages are the training desks of one wording an entry and longer answers, which are asked in words close to it.
var helpPages = map[string]bool{
	"library": true, "mobile-network": true, "online-shop": true, "photo-cloud": true, "stadtwerke": true,
}

// report prints how groups of desks fared.
func report(out io.Writer, judged []meaning.Judged) {
	own := func(j *meaning.Judged) bool {
		return !j.Desk.Public && j.Desk.Name == j.Desk.Group && !helpPages[j.Desk.Name]
	}
	for _, group := range []struct {
		name string
		has  func(j *meaning.Judged) bool
	}{
		{"desks, English", func(j *meaning.Judged) bool { return own(j) && j.Desk.Language == "en" }},
		{"desks, German", func(j *meaning.Judged) bool { return own(j) && j.Desk.Language == "de" }},
		{"desks, other", func(j *meaning.Judged) bool { return own(j) && j.Desk.Language != "de" && j.Desk.Language != "en" }},
		{"desks", own},
		{"help pages", func(j *meaning.Judged) bool { return helpPages[j.Desk.Name] }},
		{"fewer entries", func(j *meaning.Judged) bool { return strings.HasSuffix(j.Desk.Name, "entries") && !j.Desk.Public }},
		{"more alternates", func(j *meaning.Judged) bool { return strings.HasSuffix(j.Desk.Name, "more alternates") }},
		{"public, 0", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 0 a") }},
		{"public, 1", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 1 a") }},
		{"public, 4", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 4 a") }},
		{"public, 20", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 20 a") }},
		{"public, 9", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 9 a") }},
		{"public, 60", func(j *meaning.Judged) bool { return j.Desk.Public && strings.Contains(j.Desk.Name, ", 60 a") }},
		{"stackfaq, 0", func(j *meaning.Judged) bool { return strings.HasPrefix(j.Desk.Name, "stackfaq, 0") }},
	} {
		var some []*meaning.Judged
		for i := range judged {
			if group.has(&judged[i]) {
				some = append(some, &judged[i])
			}
		}
		fmt.Fprintln(out, group.name, summary(some))
	}
}

// summary prints accuracy, recall and what is answered at some precisions.
func summary(judged []*meaning.Judged) string {
	var b strings.Builder
	var own, first, words, five, ownWeight, nears float64
	for _, j := range judged {
		if j.Question.Entry < 0 {
			if !j.Question.Foreign {
				nears++
			}
			continue
		}
		own++
		ownWeight += j.Weight
		if j.Right() {
			first++
		}
		if slices.Contains(j.Best[:min(5, len(j.Best))], j.Question.Entry) {
			five++
		}
		if len(j.Words.Best) > 0 && j.Words.Best[0] == j.Question.Entry {
			words++
		}
	}
	fmt.Fprintf(&b, "(words %.1f) %.1f / %.1f", 100*words/own, 100*first/own, 100*five/own)
	for _, which := range []string{"words", "all"} {
		slices.SortFunc(judged, func(x, y *meaning.Judged) int {
			if which == "words" {
				return cmp.Compare(y.Words.Sureness, x.Words.Sureness)
			}
			return cmp.Compare(y.Sureness, x.Sureness)
		})
		fmt.Fprintf(&b, "; %s", which)
		for _, precision := range []float64{0.85, 0.9, 0.95} {
			var right, all, near, bestRight, bestNear float64
			for n, j := range judged {
				all += j.Weight
				ok := j.Right()
				if which == "words" {
					ok = j.Question.Entry >= 0 && len(j.Words.Best) > 0 && j.Words.Best[0] == j.Question.Entry
				}
				if ok {
					right += j.Weight
				} else if j.Question.Entry < 0 && !j.Question.Foreign {
					near++
				}
				if n >= 10 && right >= precision*all {
					bestRight, bestNear = right, near
				}
			}
			fmt.Fprintf(&b, " @%.0f %.1f near %.1f", 100*precision, 100*bestRight/ownWeight, 100*bestNear/max(nears, 1))
		}
	}
	return b.String()
}
