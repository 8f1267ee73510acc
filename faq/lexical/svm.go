package lexical

import "math/rand/v2"

// One support vector machine an entry against all others, with squared hinge loss,
// trained by dual coordinate descent (Hsieh et al. 2008), all entries at once: the
// scores of a text cost the same for all of them, and few then change.
const (
	svmCost   = 0.7
	svmPasses = 5
	// svmBias is where the scores start and what their bias is drawn to. Nearly all
	// texts belong to another entry, so most need no change from there.
	svmBias = -1
)

// trainSVM trains on texts whose entry is given; -1 belongs to none.
func trainSVM(c *corpus, entries int) *matrix {
	m := newMatrix(len(c.space.kind), entries)
	for e := range m.bias {
		m.bias[e] = svmBias
	}
	t := svmTrainer{matrix: m, duals: make([]float32, len(c.vectors)*entries), scores: make([]float32, entries)}
	rng := rand.New(rand.NewPCG(1, uint64(len(c.vectors))))
	for range svmPasses {
		for _, i := range rng.Perm(len(c.vectors)) {
			t.train(&c.vectors[i], c.entry[i], t.duals[i*entries:][:entries])
		}
	}
	return m
}

type svmTrainer struct {
	matrix *matrix
	duals  []float32 // by text and entry
	scores []float32
	steps  []step
}

// train makes the best change of the dual variables of one text.
func (t *svmTrainer) train(v *vector, own int32, duals []float32) {
	const slack = 0.5 / svmCost
	square := float32(1)
	for _, value := range v.values {
		square += value * value
	}
	t.matrix.score(v, t.scores)
	t.steps = t.steps[:0]
	for e, score := range t.scores {
		sign := float32(-1)
		if int32(e) == own {
			sign = 1
		}
		gradient := sign*score - 1 + duals[e]*slack
		if duals[e] == 0 && gradient >= 0 {
			continue
		}
		moved := max(0, duals[e]-gradient/(square+slack))
		by := sign * (moved - duals[e])
		if by > -least && by < least {
			continue
		}
		duals[e] = moved
		t.matrix.bias[e] += by
		t.steps = append(t.steps, step{int32(e), by})
	}
	t.matrix.move(v, t.steps)
}

// least is a step too small to be worth going over the features.
const least = 1e-3
