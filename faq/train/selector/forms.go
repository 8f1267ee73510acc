package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"frontdesk/faq/encoder"
	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// formFigures are how the questions of one form fare at the default precision.
type formFigures struct {
	own, right, answered float64 // questions with an entry, those answered rightly, and those answered at all
	near, nearAnswered   float64 // near misses
	results              []evaluation.Result
}

// add counts a question. answered is the entry that answers it, or lexical.NoEntry.
func (f *formFigures) add(j *judgement, answered int) {
	isAnswered := lexical.Indicator(answered != lexical.NoEntry)
	if j.question.entry < 0 {
		f.near++
		f.nearAnswered += isAnswered
	} else {
		f.own++
		f.answered += isAnswered
		f.right += lexical.Indicator(answered == j.question.entry)
	}
	f.results = append(f.results, resultsOf([]*judgement{j}, false)...)
}

// precision returns the share of right answers if near misses are nearShare of the questions.
func (f *formFigures) precision() float64 {
	own := 1 - nearShare
	right, answered := own*f.right/f.own, own*f.answered/f.own+nearShare*f.nearAnswered/f.near
	return right / answered
}

// nearShare is the assumed share of near misses among the questions about a business.
var nearShare = shares[nearMiss] / (1 - shares[farMiss])

// printForms prints how the questions of each form fare with parameters: what is answered of those with an entry and of
// near misses, and how well the confidence separates the two.
func printForms(out io.Writer, judged []*judgement, p *semantic.Parameters) {
	for _, form := range forms {
		var f formFigures
		for _, j := range judged {
			if j.question.form == form && !j.question.far {
				f.add(j, j.answer(p))
			}
		}
		if f.own == 0 || f.near == 0 {
			continue
		}
		fmt.Fprintf(out, "    %-8s AUROC %s, near answered %4.1f (of %.0f), right %4.1f (of %.0f), precision %.1f\n", form,
			percent(evaluation.New(f.results).AUROC), 100*f.nearAnswered/f.near, f.near, 100*f.right/f.own, f.own,
			100*f.precision())
	}
}

// takenAway returns the desks without some of their entries. Their near misses are only the questions of these entries,
// which have the form and the words of answered ones.
func takenAway(desks []*desk) (without []*desk) {
	for i, d := range desks {
		v := withoutEntries(d, rand.New(rand.NewPCG(7, uint64(i))))
		questions := v.questions
		v.questions = nil
		for k, q := range questions {
			if q.entry >= 0 || d.questions[k].entry >= 0 {
				v.questions = append(v.questions, q)
			}
		}
		without = append(without, v)
	}
	return without
}

// control tells questions with an entry from near misses by the question alone. What it reaches on other desks is what
// the data give away.
type control struct {
	e       semantic.Encoder
	mean    []float64
	weights []float64
}

// newControl fits a control to the questions of desks, in which each form has as many near misses as others by weight.
func newControl(e semantic.Encoder, desks []*desk) *control {
	c := &control{e: e}
	var points [][]float64
	var examples []example
	counts := map[string]*[2]float64{}
	eachAbout(desks, func(q *labelled) {
		points = append(points, c.vector(q.text))
		examples = append(examples, example{right: q.entry >= 0})
		if counts[q.form] == nil {
			counts[q.form] = new([2]float64)
		}
		counts[q.form][boolInt(q.entry >= 0)]++
	})
	at := 0
	eachAbout(desks, func(q *labelled) {
		examples[at].weight = 1 / counts[q.form][boolInt(q.entry >= 0)]
		at++
	})
	c.mean = make([]float64, len(points[0])-1)
	for _, x := range points {
		for i := range c.mean {
			c.mean[i] += x[i] / float64(len(points))
		}
	}
	for _, x := range points {
		c.centre(x)
	}
	c.weights = fitLogistic(points, examples, controlSteps)
	return c
}

// controlSteps are enough for the control to settle.
const controlSteps = 5

// eachAbout calls do with every question about the business of a desk.
func eachAbout(desks []*desk, do func(q *labelled)) {
	for _, d := range desks {
		for i := range d.questions {
			if q := &d.questions[i]; !q.far {
				do(q)
			}
		}
	}
}

// vector returns the vector of a question, and a constant.
func (c *control) vector(q string) []float64 {
	var x []float64
	for _, v := range c.e.Encode(encoder.Text{Kind: encoder.Query, Text: q})[0].Whole {
		x = append(x, float64(v))
	}
	return append(x, 1)
}

// controlScale brings the parts of a vector of length 1 to about the size that the ridge is made for.
const controlScale = 20

func (c *control) centre(x []float64) {
	for i, mean := range c.mean {
		x[i] = controlScale * (x[i] - mean)
	}
}

// print prints how well the control separates the questions of desks, all forms together and each.
func (c *control) print(out io.Writer, desks []*desk) {
	results := map[string][]evaluation.Result{}
	eachAbout(desks, func(q *labelled) {
		x := c.vector(q.text)
		c.centre(x)
		r := evaluation.Result{Confidence: lexical.Sigmoid(lexical.Dot(c.weights, x)), Best: []string{"entry"}}
		if q.entry >= 0 {
			r.Want = "entry"
		}
		for _, form := range []string{"all", q.form} {
			results[form] = append(results[form], r)
		}
	})
	fmt.Fprint(out, "the question alone: AUROC")
	for _, form := range append([]string{"all"}, forms...) {
		fmt.Fprintf(out, " %s %s", form, percent(evaluation.New(results[form]).AUROC))
	}
	fmt.Fprintln(out)
}
