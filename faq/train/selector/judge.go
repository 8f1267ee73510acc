package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

type desksCmd struct {
	encoderFlags
	Desks    string `default:"../shared/data/desks" help:"Folder of desks to judge."`
	Training string `default:"testdata/desks" help:"Training desks of the control; empty for none."`
	Wrong    int    `help:"How many questions of each desk whose first entry is wrong are printed, the surest first."`
	Plot     string `help:"File to draw the risk over the coverage to (SVG)."`
}

// Run judges the shipped parameters on desks.
func (c *desksCmd) Run() error {
	desks, err := readDesks(c.Desks)
	if err != nil {
		return err
	}
	e, err := c.open()
	if err != nil {
		return err
	}
	shipped := semantic.Shipped()
	judged := judge(shipped, gather(e, shipped, desks, io.Discard))
	if err := e.flush(); err != nil {
		return err
	}
	groups := map[string][]*judgement{}
	for i := range judged {
		j := &judged[i]
		for _, name := range []string{j.desk.name, "all " + j.desk.language, allDesks} {
			groups[name] = append(groups[name], j)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		fmt.Println(name, summary(groups[name]))
		fmt.Println("   ", served(groups[name], shipped))
	}
	if err := c.printForms(e, desks, groups[allDesks]); err != nil {
		return err
	}
	if c.Wrong > 0 {
		c.printWrong(desks, groups)
	}
	if c.Plot == "" {
		return nil
	}
	var curves []curve
	for _, name := range []string{"all en", "all de"} {
		curves = append(curves,
			curve{name: name + ", words and meaning", points: evaluation.New(resultsOf(groups[name], false)).RiskCoverage},
			curve{name + ", words only", evaluation.New(resultsOf(groups[name], true)).RiskCoverage, true})
	}
	return draw(c.Plot, curves)
}

// allDesks is the group of every desk.
const allDesks = "all"

// printForms prints how each form fares, on the desks and where entries are taken away from them, and what the question
// alone gives away.
func (c *desksCmd) printForms(e *cachedEncoder, desks []*desk, judged []*judgement) error {
	shipped := semantic.Shipped()
	fmt.Println("each form:")
	printForms(os.Stdout, judged, shipped)
	var without []*judgement
	again := judge(shipped, gather(e, shipped, takenAway(desks), io.Discard))
	for i := range again {
		without = append(without, &again[i])
	}
	fmt.Println("each form, near misses whose entry was taken away:")
	printForms(os.Stdout, without, shipped)
	if c.Training == "" {
		return e.flush()
	}
	training, err := readDesks(c.Training)
	if err != nil {
		return err
	}
	newControl(e, training).print(os.Stdout, desks)
	return e.flush()
}

// answer returns the entry that answers with the thresholds of parameters, or lexical.NoEntry.
func (j *judgement) answer(p *semantic.Parameters) int {
	if j.confidence >= p.Regime(j.few).Answers.At(precision) {
		return j.best[0]
	}
	return lexical.NoEntry
}

// answerByWords is answer without an encoder.
func (j *judgement) answerByWords() int {
	if j.words.Sure {
		return j.words.Best[0]
	}
	return lexical.NoEntry
}

// served prints what is answered with the shipped thresholds, and today's by words only.
func served(judged []*judgement, p *semantic.Parameters) string {
	line := ""
	for _, which := range []string{"words", "all"} {
		var own, right, answered, nears, near, fars, farSuggested, far float64
		for _, j := range judged {
			answer := j.answer(p)
			if which == "words" {
				answer = j.answerByWords()
			}
			sure := answer != lexical.NoEntry
			switch {
			case j.question.entry >= 0:
				own += j.weight
				right += j.weight * lexical.Indicator(answer == j.question.entry)
			case j.question.far:
				fars++
				far += lexical.Indicator(sure)
				farSuggested += lexical.Indicator(j.onSubject >= p.Regime(j.few).Far)
			default:
				nears++
				near += lexical.Indicator(sure)
			}
			answered += j.weight * lexical.Indicator(sure)
		}
		line += fmt.Sprintf("default 0.95 by %s: served right %.1f precision %.1f near answered %.1f far answered %.1f",
			which, 100*right/own, 100*right/answered, 100*near/nears, 100*far/fars)
		if which == "all" {
			line += fmt.Sprintf(", suggestions for far %.1f", 100*farSuggested/fars)
		}
		line += "; "
	}
	return line
}

// resultsOf are judged questions as the evaluation reads them.
func resultsOf(judged []*judgement, words bool) (results []evaluation.Result) {
	for _, j := range judged {
		best, confidence := j.best, j.confidence
		if words {
			best, confidence = j.words.Best, j.words.Confidence
		}
		r := evaluation.Result{Q: j.question.text, Confidence: confidence}
		if j.question.entry >= 0 {
			r.Want = j.desk.entries[j.question.entry].ID
		}
		for _, entry := range best {
			r.Best = append(r.Best, j.desk.entries[entry].ID)
		}
		results = append(results, r)
	}
	return results
}

// printWrong prints the surest questions of each desk whose first entry is wrong.
func (c *desksCmd) printWrong(desks []*desk, judged map[string][]*judgement) {
	for _, d := range desks {
		for _, j := range surestWrong(judged[d.name], c.Wrong) {
			wanted := "none"
			if j.question.entry >= 0 {
				wanted = d.entries[j.question.entry].ID
			}
			fmt.Printf("%s %.2f %q: %s, want %s\n", d.name, j.confidence, j.question.text, d.entries[j.best[0]].ID, wanted)
		}
	}
}

// surestWrong returns the surest questions about the business whose first entry is wrong.
func surestWrong(judged []*judgement, most int) (wrong []*judgement) {
	judged = slices.Clone(judged)
	slices.SortFunc(judged, func(a, b *judgement) int { return cmp.Compare(b.confidence, a.confidence) })
	for _, j := range judged {
		if len(wrong) < most && !j.right() && !j.question.far {
			wrong = append(wrong, j)
		}
	}
	return wrong
}
