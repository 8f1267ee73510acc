package lexical

import (
	"math"
	"math/rand/v2"
)

// Multinomial logistic regression, trained by Adagrad (Duchi et al. 2011) with a
// step size for each feature.
const (
	logisticPasses = 4
	logisticRate   = 0.5
	biasRate       = 0.05
	smallestError  = 2e-4 // of a probability, below which an entry is passed over
)

// trainLogistic trains a score for each entry, and, where the corpus has strangers, a
// last one for no entry.
func trainLogistic(c *corpus, entries int) *matrix {
	strangers := int32(entries)
	if c.own < len(c.vectors) {
		entries++
	}
	t := logisticTrainer{
		matrix:  newMatrix(len(c.space.kind), entries),
		scores:  make([]float32, entries),
		squares: make([]float32, len(c.space.kind)),
	}
	rng := rand.New(rand.NewPCG(2, uint64(len(c.vectors))))
	for pass := range logisticPasses {
		rate := logisticRate * (1 - float32(pass)/logisticPasses)
		for _, i := range rng.Perm(len(c.vectors)) {
			own := c.entry[i]
			if own == noEntry {
				own = strangers
			}
			t.train(&c.vectors[i], own, rate)
		}
	}
	return t.matrix
}

type logisticTrainer struct {
	matrix  *matrix
	scores  []float32
	squares []float32 // by feature: squared gradients so far
	steps   []step
}

func (t *logisticTrainer) train(v *vector, own int32, rate float32) {
	t.matrix.score(v, t.scores)
	softmax(t.scores)
	t.steps = t.steps[:0]
	var square float32
	for e, p := range t.scores {
		wrong := p
		if int32(e) == own {
			wrong--
		}
		square += wrong * wrong
		if wrong > smallestError || wrong < -smallestError {
			t.steps = append(t.steps, step{int32(e), -wrong})
			t.matrix.bias[e] -= rate * biasRate * wrong
		}
	}
	if square < 1e-6 {
		return
	}
	for i, f := range v.ids {
		value := v.values[i]
		t.squares[f] += value * value * square
		pace := rate * value / float32(math.Sqrt(float64(t.squares[f])+1e-8))
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
