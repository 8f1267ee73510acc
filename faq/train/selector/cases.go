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

// asked is a question to a desk, and what words make of it.
type asked struct {
	desk     *desk
	question labelled
	few      bool // the desk has few wordings an entry
	words    lexical.Choice
	weight   float64 // among all questions: what its desk and its kind count
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

// gather asks the questions of every desk, with the share of words that the parameters find.
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
	words := lexical.New(d.entries,
		lexical.Options{Precision: precision, Unanswered: d.unanswered, Knowledge: d.knowledge})
	s := semantic.New(words, r, d.entries, d.unanswered, precision)
	var counts [kinds]float64
	for _, q := range d.questions {
		choice := words.Select(q.text, everyone)
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

// fitParameters fits the parameters to cases.
func fitParameters(c *semantic.Centres, cases []fitCase) *semantic.Parameters {
	return &semantic.Parameters{Few: fitRegime(cases, true), Many: fitRegime(cases, false), Centres: c}
}

// How many trees are grown.
const (
	answerTrees  = 300
	subjectTrees = 80
)

// nearStress is what near questions count more when the confidence is fitted, though not when thresholds are measured:
// they are the hardest to tell from others.
const nearStress = 4

// otherShare is what a case counts in the regime that is not its own.
const otherShare = 0.25

// fitRegime fits a regime to cases: those of its own kind of content count most.
func fitRegime(cases []fitCase, few bool) (g semantic.FittedModel) {
	weightOf := func(k *fitCase) float64 {
		if k.few == few {
			return k.weight
		}
		return otherShare * k.weight
	}
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
		ranked = append(ranked, rankCase{rows, wanted, weightOf(k)})
	}
	g.Ranker = fitRanker(ranked)
	rows := make([][]float64, len(cases))
	weights, answerWeights := make([]float64, len(cases)), make([]float64, len(cases))
	right, onSubject := make([]bool, len(cases)), make([]bool, len(cases))
	eachCase(cases, func(i int, k *fitCase) {
		first := k.rank(&g)
		rows[i] = k.candidates.Features()
		right[i], weights[i] = first == k.question.entry, weightOf(k)
		onSubject[i] = !k.question.far
		answerWeights[i] = weights[i]
		if k.question.kind() == nearMiss {
			answerWeights[i] *= nearStress
		}
	})
	g.Trees = growTrees(rows, right, answerWeights, answerTrees)
	g.Subject = growTrees(rows, onSubject, weights, subjectTrees)
	return g
}

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

// judgement is what parameters made of a case.
type judgement struct {
	asked
	best      []int
	sureness  float64
	onSubject float64 // log odds that it is about the business at all
}

// right reports whether the first entry answers the question.
func (j *judgement) right() bool { return j.question.entry >= 0 && j.best[0] == j.question.entry }

// judge asks parameters about cases.
func judge(p *semantic.Parameters, cases []fitCase) []judgement {
	judged := make([]judgement, len(cases))
	eachCase(cases, func(i int, k *fitCase) {
		g := p.Regime(k.few)
		k.rank(g)
		row := k.candidates.Features()
		j := judgement{asked: k.asked, sureness: lexical.Sigmoid(g.Trees.LogOdds(row)), onSubject: g.Subject.LogOdds(row)}
		for _, c := range k.candidates.List {
			j.best = append(j.best, c.Entry)
		}
		judged[i] = j
	})
	return judged
}

// crossValidate judges each case by parameters that were fitted to the desks of other folds.
func crossValidate(c *semantic.Centres, cases []fitCase, folds int) []judgement {
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
		judged = append(judged, judge(fitParameters(c, kept), held)...)
	}
	return judged
}

// leastSure is the share of the answers by words that must be right for the encoder not to be asked.
const leastSure = 0.96

// leastByWords is how many questions words must be sure of to measure that.
const leastByWords = 20

// measure sets the thresholds to what judged cases show.
func measure(p *semantic.Parameters, judged []judgement) {
	for _, few := range []bool{true, false} {
		var answers, byWords []example
		var onSubject []float64
		for i := range judged {
			j := &judged[i]
			if j.few != few {
				continue
			}
			if j.right() {
				onSubject = append(onSubject, j.onSubject)
			}
			answers = append(answers, example{right: j.right(), weight: j.weight, confidence: j.sureness})
			if j.words.Sure {
				right := j.words.Best[0] == j.question.entry
				byWords = append(byWords, example{right: right, weight: j.weight, confidence: j.words.Confidence})
			}
		}
		t := p.Regime(few)
		t.Answers = measureThresholds(answers)
		t.Words = 2 // never
		if len(byWords) >= leastByWords {
			t.Words = leastProbability(byWords, leastSure)
		}
		slices.Sort(onSubject)
		t.Far = math.Round(1000*onSubject[len(onSubject)*farPercent/100]) / 1000
	}
}

// farPercent are the questions of 100 whose entry comes first that may count as far from everything.
const farPercent = 2
