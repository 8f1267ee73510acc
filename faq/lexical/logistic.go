package lexical

import (
	"math"
	"math/rand/v2"
)

// Multinomial logistic regression, trained by Adagrad (Duchi et al. 2011) with a
// step size for each feature. After the first passes a text is compared only with the
// entries that were likely for it.
const (
	logisticPasses = 4
	logisticFull   = 2    // passes that compare with all entries
	logisticReach  = 1e-3 // probability from which an entry is likely
	logisticRate   = 0.5
	biasRate       = 0.05
	smallestError  = 2e-4 // of a probability, below which an entry is passed over
)

// trainLogistic trains a score for each entry, and, where the corpus has questions out of scope, a
// last one for no entry.
func trainLogistic(c *corpus, entries int) *matrix {
	none := int32(entries)
	if c.own < len(c.vectors) {
		entries++
	}
	t := newLogisticTrainer(len(c.space.kind), entries)
	likely := make([][]int32, len(c.vectors))
	rng := rand.New(rand.NewPCG(2, uint64(len(c.vectors))))
	for pass := range logisticPasses {
		t.rate = logisticRate * (1 - float32(pass)/logisticPasses)
		for _, i := range rng.Perm(len(c.vectors)) {
			own := c.entry[i]
			if own == NoEntry {
				own = none
			}
			if pass >= logisticFull {
				t.train(&c.vectors[i], own, likely[i])
				continue
			}
			t.train(&c.vectors[i], own, t.everyone)
			if pass+1 == logisticFull {
				likely[i] = t.likely(own)
			}
		}
	}
	return t.matrix
}

type logisticTrainer struct {
	matrix   *matrix
	rate     float32
	everyone []int32   // all entries
	scores   []float32 // of the entries that are asked; then their probabilities
	squares  []float32 // by feature: squared gradients so far
	steps    []step
}

func newLogisticTrainer(features, entries int) *logisticTrainer {
	t := &logisticTrainer{
		matrix:   newMatrix(features, entries),
		everyone: make([]int32, entries),
		scores:   make([]float32, entries),
		squares:  make([]float32, features),
	}
	for e := range t.everyone {
		t.everyone[e] = int32(e)
	}
	return t
}

// likely gives the entries that were likely when all were asked, and the right one.
func (t *logisticTrainer) likely(own int32) (entries []int32) {
	for e, p := range t.scores {
		if p > logisticReach || int32(e) == own {
			entries = append(entries, int32(e))
		}
	}
	return entries
}

// train moves the scores of some entries for a text.
func (t *logisticTrainer) train(v *vector, own int32, entries []int32) {
	scores := t.scores[:len(entries)]
	if len(entries) == len(t.everyone) {
		t.matrix.score(v, scores)
	} else {
		t.matrix.scoreOf(v, entries, scores)
	}
	softmax(scores)
	t.steps = t.steps[:0]
	var square float32
	for i, wrong := range scores {
		if entries[i] == own {
			wrong--
		}
		square += wrong * wrong
		if wrong > smallestError || wrong < -smallestError {
			t.steps = append(t.steps, step{entries[i], -wrong})
			t.matrix.bias[entries[i]] -= t.rate * biasRate * wrong
		}
	}
	if square >= 1e-6 {
		t.move(v, square)
	}
}

// move adds the steps, whose squares sum to square, at the pace of each feature.
func (t *logisticTrainer) move(v *vector, square float32) {
	for i, f := range v.ids {
		value := v.values[i]
		t.squares[f] += value * value * square
		pace := t.rate * value / float32(math.Sqrt(float64(t.squares[f])+1e-8))
		row := t.matrix.row(f)
		for _, s := range t.steps {
			row[s.entry] += pace * s.by
		}
	}
}

// softmax makes scores into probabilities.
func softmax(scores []float32) {
	top := maxOf(scores)
	var sum float32
	for i, score := range scores {
		scores[i] = exp(score - top)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

func maxOf(scores []float32) float32 {
	top := scores[0]
	for _, score := range scores {
		top = max(top, score)
	}
	return top
}

// exp is e to the power of x, which is not positive, within a few per cent where it
// matters: training takes millions of them.
func exp(x float32) float32 {
	if x < -15 {
		return 0
	}
	y := 1 + x/1024
	for range 10 {
		y *= y
	}
	return y
}
