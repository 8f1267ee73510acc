package meaning

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// Desk is training content, and questions whose entries are known.
type Desk struct {
	Name       string
	Group      string // desks of one group are held out together
	Language   string
	Public     bool // drawn from a public set
	Close      bool // its questions are asked in words close to its entries
	Weight     float64
	Entries    []content.Entry
	Unanswered []string
	Questions  []lexical.Question
	Words      *lexical.Knowledge
}

// Case is what the evidence for one training question looks like.
type Case struct {
	desk       *Desk
	question   lexical.Question
	words      lexical.Choice
	asked      []string
	index      *index
	reading    *reading
	candidates []candidate
	weight     float64 // among all cases: what its desk and its kind count
}

// Group names the desks that are held out together with the case.
func (k *Case) Group() string { return k.desk.Group }

// The shares of questions that a desk is taken to be asked.
const (
	ownShare     = 0.70 // answered by an entry
	nearShare    = 0.15 // about the business, answered by none
	foreignShare = 0.15 // about anything else
)

// Gather asks the questions of a desk.
func Gather(r *Reader, c *Centres, d *Desk) []Case {
	words := lexical.New(d.Entries, lexical.Options{Precision: 0.95, Strangers: d.Unanswered, Knowledge: d.Words})
	x := newIndex(r, c, d.Entries, d.Unanswered)
	everyone := func(int) bool { return true }
	var cases []Case
	var counts [3]float64
	for _, q := range d.Questions {
		read, err := r.question(context.Background(), q.Text)
		if err != nil {
			continue // never: the context has no end
		}
		reading := x.read(read)
		k := Case{
			desk: d, question: q, words: words.Select(q.Text, everyone), asked: text.AppendWords(nil, q.Text),
			index: x, reading: reading, candidates: x.gather(words, reading, q.Text, everyone),
		}
		reading.pieces = nil
		if len(k.candidates) > 0 && len(k.asked) > 0 {
			cases = append(cases, k)
			counts[kindOf(q)]++
		}
	}
	for i := range cases {
		kind := kindOf(cases[i].question)
		cases[i].weight = d.Weight * [...]float64{ownShare, nearShare, foreignShare}[kind] / counts[kind]
	}
	return cases
}

// The kinds of questions.
const (
	own = iota
	near
	foreign
)

func kindOf(q lexical.Question) int {
	switch {
	case q.Entry >= 0:
		return own
	case !q.Foreign:
		return near
	}
	return foreign
}

// Fit fits the parameters to cases.
func Fit(c *Centres, cases []Case) *Parameters {
	p := &Parameters{Centres: c}
	p.Few.fit(cases, true)
	p.Many.fit(cases, false)
	return p
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

// fit fits a regime to cases: those of its own kind of content count most.
func (g *Regime) fit(cases []Case, few bool) {
	weightOf := func(k *Case) float64 {
		if (k.index.texts < fewWordings) == few {
			return k.weight
		}
		return otherShare * k.weight
	}
	var ranked []rankCase
	for i := range cases {
		k := &cases[i]
		wanted := slices.IndexFunc(k.candidates, func(c candidate) bool { return c.Entry == k.question.Entry })
		if wanted < 0 {
			continue
		}
		rows := make([][]float64, len(k.candidates))
		for j := range rows {
			rows[j] = k.candidates[j].rank
		}
		ranked = append(ranked, rankCase{rows, wanted, weightOf(k)})
	}
	g.Ranker = fitRanker(ranked)
	rows := make([][]float64, len(cases))
	weights, answerWeights := make([]float64, len(cases)), make([]float64, len(cases))
	right, onSubject := make([]bool, len(cases)), make([]bool, len(cases))
	eachCase(cases, func(i int, k *Case) {
		first := k.rank(g)
		rows[i] = k.index.evidence(k.reading, k.candidates, k.words, k.asked)
		right[i], weights[i] = first == k.question.Entry, weightOf(k)
		onSubject[i] = !k.question.Foreign
		answerWeights[i] = weights[i]
		if kindOf(k.question) == near {
			answerWeights[i] *= nearStress
		}
	})
	g.Trees = growTrees(rows, right, answerWeights, answerTrees)
	g.Subject = growTrees(rows, onSubject, weights, subjectTrees)
}

func eachCase(cases []Case, do func(i int, k *Case)) {
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
func (k *Case) rank(g *Regime) int {
	rank(k.candidates, g.Ranker)
	return k.candidates[0].Entry
}

// Judged is what parameters made of a case.
type Judged struct {
	Desk        *Desk
	Question    lexical.Question
	Best        []int
	Sureness    float64
	Words       lexical.Choice
	Weight      float64
	OnSubject   float64 // log odds that it is about the business at all
	FewWordings bool
}

// Right reports whether the first entry answers the question.
func (j *Judged) Right() bool { return j.Question.Entry >= 0 && j.Best[0] == j.Question.Entry }

// Judge asks parameters about cases.
func Judge(p *Parameters, cases []Case) []Judged {
	judged := make([]Judged, len(cases))
	eachCase(cases, func(i int, k *Case) {
		g := p.regime(k.index.texts)
		k.rank(g)
		row := k.index.evidence(k.reading, k.candidates, k.words, k.asked)
		j := Judged{
			Desk: k.desk, Question: k.question, Words: k.words, Weight: k.weight, FewWordings: k.index.texts < fewWordings,
			Sureness: sigmoid(g.Trees.logOdds(row)), OnSubject: g.Subject.logOdds(row),
		}
		for _, c := range k.candidates {
			j.Best = append(j.Best, c.Entry)
		}
		judged[i] = j
	})
	return judged
}

// CrossValidate judges each case by parameters that were fitted to the desks of other folds.
func CrossValidate(c *Centres, cases []Case, folds int) []Judged {
	var groups []string
	for i := range cases {
		if !slices.Contains(groups, cases[i].desk.Group) {
			groups = append(groups, cases[i].desk.Group)
		}
	}
	var judged []Judged
	for fold := range folds {
		var kept, held []Case
		for _, k := range cases {
			if slices.Index(groups, k.desk.Group)%folds == fold {
				held = append(held, k)
			} else {
				kept = append(kept, k)
			}
		}
		judged = append(judged, Judge(Fit(c, kept), held)...)
	}
	return judged
}

// leastSure is the share of the answers by words that must be right for the encoder not to be asked.
const leastSure = 0.96

// Measure sets the thresholds to what judged cases show. A precision is kept on desks whose questions are close to
// their words and on those whose questions are not, each by themselves: together, the easy ones would pay for the hard.
func (p *Parameters) Measure(judged []Judged) {
	for few, t := range map[bool]*Regime{true: &p.Few, false: &p.Many} {
		examples := map[bool][]lexical.Example{}
		var byWords []lexical.Example
		var onSubject []float64
		for i := range judged {
			j := &judged[i]
			if j.FewWordings != few {
				continue
			}
			if j.Right() {
				onSubject = append(onSubject, j.OnSubject)
			}
			examples[j.Desk.Close] = append(examples[j.Desk.Close], lexical.Example{Right: j.Right(), Weight: j.Weight, Confidence: j.Sureness})
			if j.Words.Sure {
				right := j.Words.Best[0] == j.Question.Entry
				byWords = append(byWords, lexical.Example{Right: right, Weight: j.Weight, Confidence: j.Words.Sureness})
			}
		}
		t.Answers = nil
		for _, some := range examples {
			measured := lexical.MeasureThresholds(some)
			for i, threshold := range t.Answers {
				measured[i].Probability = max(measured[i].Probability, threshold.Probability)
			}
			t.Answers = measured
		}
		t.Words = leastProbability(byWords, leastSure)
		slices.Sort(onSubject)
		t.Far = math.Round(1000*onSubject[len(onSubject)*farPercent/100]) / 1000
	}
}

// farPercent are the questions of 100 whose entry comes first that may count as far from everything.
const farPercent = 2

// leastProbability is the confidence from which on answers reach a precision, or 2 if none do.
func leastProbability(examples []lexical.Example, precision float64) float64 {
	slices.SortFunc(examples, func(a, b lexical.Example) int { return cmp.Compare(b.Confidence, a.Confidence) })
	least, right, all := 2.0, 0.0, 0.0
	for i, e := range examples {
		all += e.Weight
		if e.Right {
			right += e.Weight
		}
		if i >= 20 && right >= precision*all {
			least = e.Confidence
		}
	}
	return least
}

// NewFittingReader returns a reader for fitting that uses the caller's encoder.
func NewFittingReader(e Encoder) *Reader { return newReader(e, "", func(error) {}) }
