package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// desk is content, and questions whose entries are known.
type desk struct {
	name       string
	group      string // desks of one group are held out together
	language   string
	public     bool // drawn from a public set
	weight     float64
	entries    []content.Entry
	unanswered []string
	questions  []labelled
	knowledge  *lexical.Knowledge
}

// labelled is a question whose entry is known by its place, or -1 for none.
type labelled struct {
	text  string
	entry int
	far   bool   // the subject is none of the content's
	form  string // how it is asked, one of forms; empty in public sets
}

// The kinds of questions.
const (
	inScope    = iota // answered by an entry
	nearMiss          // about the business, answered by none
	farMiss           // about anything else
	roundabout        // answered by an entry, and asked indirectly or at length
	kinds
)

func (q *labelled) kind() int {
	switch {
	case q.entry >= 0 && (q.form == "indirect" || q.form == "long"):
		return roundabout
	case q.entry >= 0:
		return inScope
	case !q.far:
		return nearMiss
	}
	return farMiss
}

// shares are the shares of the kinds among the questions that a desk is taken to be asked, in whatever numbers it has
// them.
var shares = [kinds]float64{0.49, 0.15, 0.15, 0.21}

// weightsOf returns what a question of each kind counts at a desk that has so many of each.
func weightsOf(counts [kinds]float64) (weights [kinds]float64) {
	for kind, share := range shares {
		if kind == inScope && counts[roundabout] == 0 {
			share += shares[roundabout]
		}
		weights[kind] = share / counts[kind]
	}
	return weights
}

// asked is a question to a desk, with the selector's evidence by words.
type asked struct {
	desk     *desk
	question labelled
	few      bool // the desk has few wordings an entry
	words    lexical.Choice
	weight   float64  // among all questions: what its desk and its kind count
	odds     *float64 // that the first entry answers, of a question that was judged before (judged.go)
}

// fitCase is a question with the entries that may answer it.
type fitCase struct {
	asked
	candidates *semantic.Candidates
}

// unfitted returns the parameters before the fit, of which only the centres are known.
func unfitted(c *semantic.Centres) *semantic.Parameters {
	regime := semantic.FittedModel{Answers: lexical.Thresholds{{Precision: 1, Probability: 1}}}
	return &semantic.Parameters{Few: regime, Many: regime, Centres: c}
}

// gather asks the questions of every desk.
func gather(e semantic.Encoder, p *semantic.Parameters, desks []*desk, progress io.Writer) []fitCase {
	embedder := semantic.NewEmbedder(e, p, semantic.Files{}, func(error) {})
	all := make([][]fitCase, len(desks))
	var group sync.WaitGroup
	places := make(chan bool, 2)
	for i, d := range desks {
		group.Go(func() {
			places <- true
			defer func() { <-places }()
			all[i] = d.ask(embedder)
			fmt.Fprintf(progress, "%s: %d questions\n", d.name, len(all[i]))
		})
	}
	group.Wait()
	return slices.Concat(all...)
}

// ask asks the questions of a desk.
func (d *desk) ask(r *semantic.Embedder) (cases []fitCase) {
	words := lexical.New(d.entries, d.unanswered, d.knowledge)
	s := semantic.New(words, r, d.entries, d.unanswered)
	var counts [kinds]float64
	for _, q := range d.questions {
		choice := words.Select(q.text, everyone, precision)
		candidates, err := s.Candidates(context.Background(), q.text, everyone)
		if err != nil || candidates == nil { // never an error: the context has no end
			continue
		}
		cases = append(cases, fitCase{asked{desk: d, question: q, few: s.FewWordings(), words: choice}, candidates})
		counts[q.kind()]++
	}
	weights := weightsOf(counts)
	for i := range cases {
		cases[i].weight = d.weight * weights[cases[i].question.kind()]
	}
	return cases
}

// fitParameters fits the parameters to cases. It keeps rankers unless it is nil.
func fitParameters(c *semantic.Centres, cases []fitCase, rankers *semantic.Parameters) *semantic.Parameters {
	p := &semantic.Parameters{Parts: semantic.PartNames(), Centres: c}
	for _, few := range []bool{true, false} {
		var ranker []float64
		if rankers != nil {
			ranker = rankers.Regime(few).Ranker
		}
		*p.Regime(few) = fitRegime(cases, few, ranker)
	}
	return p
}

// How many trees are grown.
const (
	answerTrees  = 300
	subjectTrees = 60
)

// nearStress is the weight of the near misses of each form in the fit of the confidence, relative to the questions of
// that form with an entry, so that a form says nothing by itself. The weight of each near miss that was judged before
// is multiplied by judgedStress, as it was then.
const (
	nearStress   = 0.5
	judgedStress = 4
)

// otherShare is what a case counts in the regime that is not its own.
const otherShare = 0.25

// fitRegime fits a regime to cases: those of its own kind of content count most. It keeps ranker unless it is nil.
func fitRegime(cases []fitCase, few bool, ranker []float64) (g semantic.FittedModel) {
	weights := make([]float64, len(cases))
	weigh := func(i int, isFew bool) {
		weights[i] = cases[i].weight
		if isFew != few {
			weights[i] *= otherShare
		}
	}
	for i := range cases {
		weigh(i, cases[i].few)
	}
	if g.Ranker = ranker; ranker == nil {
		g.Ranker = rankerOf(cases, weights)
	}
	rows := make([][]float64, len(cases))
	right, onSubject := make([]float64, len(cases)), make([]float64, len(cases))
	eachCase(cases, func(i int, k *fitCase) {
		first := k.rank(&g)
		weigh(i, k.few && !k.desk.entries[first].IsFact) // facts are judged as content of many wordings is
		rows[i] = k.candidates.Features()
		right[i] = k.share(first)
		onSubject[i] = lexical.Indicator(!k.question.far)
	})
	g.Trees = growTrees(rows, right, stressed(cases, weights), answerTrees)
	g.Subject = growTrees(rows, onSubject, weights, subjectTrees)
	return g
}

// rankerOf fits a ranker to the cases whose entry is a candidate.
func rankerOf(cases []fitCase, weights []float64) []float64 {
	var ranked []rankCase
	for i := range cases {
		k := &cases[i]
		wanted := slices.IndexFunc(k.candidates.List, func(c semantic.Candidate) bool { return c.Entry == k.question.entry })
		if wanted < 0 {
			continue
		}
		rows := make([][]float64, len(k.candidates.List))
		for j := range rows {
			rows[j] = k.candidates.List[j].RankFeatures
		}
		ranked = append(ranked, rankCase{rows, wanted, weights[i]})
	}
	return fitRanker(ranked)
}

// share is the probability that the first entry is right: 1 or 0, unless the question was judged before.
func (a *asked) share(first int) float64 {
	if a.odds != nil {
		return lexical.Sigmoid(*a.odds)
	}
	return lexical.Indicator(a.question.entry >= 0 && first == a.question.entry)
}

// stressed returns weights in which the near misses of each form have nearStress times the weight of its questions with
// an entry.
func stressed(cases []fitCase, weights []float64) []float64 {
	var masses formMasses
	for i := range cases {
		if k := &cases[i]; k.odds == nil || k.question.entry >= 0 {
			masses.add(&k.question, weights[i])
		}
	}
	out := slices.Clone(weights)
	for i := range cases {
		switch k := &cases[i]; {
		case k.question.kind() != nearMiss:
		case k.odds != nil:
			out[i] *= judgedStress
		default:
			out[i] *= nearStress * masses.balance(k.question.form)
		}
	}
	return out
}

// formMasses are the total weights of the questions of each form: own of those with an entry, near of near misses.
type formMasses struct{ own, near map[string]float64 }

func (m *formMasses) add(q *labelled, weight float64) {
	if m.own == nil {
		m.own, m.near = map[string]float64{}, map[string]float64{}
	}
	switch {
	case q.entry >= 0:
		m.own[q.form] += weight
	case !q.far:
		m.near[q.form] += weight
	}
}

// balance is the factor that gives the near misses of a form the total weight of its questions with an entry.
func (m *formMasses) balance(form string) float64 { return m.own[form] / max(m.near[form], 1e-9) }

func eachCase(cases []fitCase, do func(i int, k *fitCase)) {
	var group sync.WaitGroup
	const parts = 2
	for part := range parts {
		group.Go(func() {
			for i := part; i < len(cases); i += parts {
				do(i, &cases[i])
			}
		})
	}
	group.Wait()
}

// rank orders the candidates of a case and returns the first.
func (k *fitCase) rank(g *semantic.FittedModel) int {
	k.candidates.Rank(g.Ranker)
	return k.candidates.List[0].Entry
}

// judgement is the outcome of a case with some parameters.
type judgement struct {
	asked
	best       []int
	isFact     bool // the first entry is a fact
	confidence float64
	onSubject  float64 // log odds that it is about the business at all
}

// right reports whether the first entry answers the question.
func (j *judgement) right() bool { return j.question.entry >= 0 && j.best[0] == j.question.entry }

// judge asks parameters about cases.
func judge(p *semantic.Parameters, cases []fitCase) []judgement {
	judged := make([]judgement, len(cases))
	eachCase(cases, func(i int, k *fitCase) {
		g := p.Regime(k.few)
		isFact := k.desk.entries[k.rank(g)].IsFact
		row := k.candidates.Features()
		j := judgement{asked: k.asked, isFact: isFact, onSubject: g.Subject.LogOdds(row),
			confidence: lexical.Sigmoid(p.Regime(k.few && !isFact).Trees.LogOdds(row))}
		for _, c := range k.candidates.List {
			j.best = append(j.best, c.Entry)
		}
		judged[i] = j
	})
	return judged
}

// crossValidate judges each case by parameters that were fitted to the desks of other folds.
func crossValidate(c *semantic.Centres, cases []fitCase, folds int, rankers *semantic.Parameters) []judgement {
	var groups []string
	for i := range cases {
		if !slices.Contains(groups, cases[i].desk.group) {
			groups = append(groups, cases[i].desk.group)
		}
	}
	var judged []judgement
	for fold := range folds {
		var kept, held []fitCase
		for _, k := range cases {
			if slices.Index(groups, k.desk.group)%folds == fold {
				held = append(held, k)
			} else {
				kept = append(kept, k)
			}
		}
		judged = append(judged, judge(fitParameters(c, kept, rankers), held)...)
	}
	return judged
}

// measure sets the thresholds to what judged cases show.
func measure(p *semantic.Parameters, judged []judgement) {
	for _, few := range []bool{true, false} {
		var answers []example
		var onSubject []float64
		var masses formMasses
		for i := range judged {
			if j := &judged[i]; j.few == few && !j.isFact {
				masses.add(&j.question, j.weight)
			}
		}
		for i := range judged {
			j := &judged[i]
			if j.few != few || j.isFact {
				continue
			}
			if j.right() {
				onSubject = append(onSubject, j.onSubject)
			}
			answers = append(answers, j.examples(masses.balance(j.question.form))...)
		}
		t := p.Regime(few)
		t.Answers = measureThresholds(answers)
		slices.Sort(onSubject)
		t.Far = math.Round(1000*onSubject[len(onSubject)*farPercent/100]) / 1000
	}
}

// examples turns a judged question into examples for measuring thresholds. Near misses have the same share in every
// form. A question that was judged before becomes two examples, right and wrong, weighted by its probability.
func (j *judgement) examples(balance float64) []example {
	weight := j.weight
	if j.question.kind() == nearMiss {
		weight *= balance * nearShare / (1 - nearShare)
	}
	if j.question.entry < 0 {
		return []example{{weight: weight, confidence: j.confidence}}
	}
	share := j.share(j.best[0])
	if j.odds != nil {
		share = lexical.Sigmoid(*j.odds + judgedOwn)
	}
	return []example{
		{right: true, weight: weight * share, confidence: j.confidence},
		{weight: weight * (1 - share), confidence: j.confidence},
	}
}

// judgedOwn is added to the log odds of a question that was judged before if it is known to have an entry: of the wrong
// answers, four of five by weight were to near misses.
const judgedOwn = 1.6

// farPercent are the questions of 100 whose entry comes first that may count as far from everything.
const farPercent = 2
