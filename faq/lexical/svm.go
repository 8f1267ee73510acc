package lexical

import "math/rand/v2"

// One support vector machine for each entry against all others, with squared hinge loss,
// trained by dual coordinate descent (Hsieh et al. 2008), all entries at once: the
// scores of a text cost the same for all of them, and few then change. After the first
// passes a text is compared only with the entries near its margin.
const (
	svmCost   = 0.7
	svmPasses = 8
	svmFull   = 2   // passes over all entries
	svmReach  = 0.1 // below the margin, within which an entry may still change
	svmSlack  = 0.5 / svmCost
	// svmBias is where the scores start and what their bias is drawn to. Nearly all
	// texts belong to another entry, so most need no change from there.
	svmBias = -1
)

// trainSVM trains a score for each entry from texts of so many features. owners are the
// entries of the texts. A text that belongs to none (NoEntry) is one against all of them.
func trainSVM(vectors []vector, owners []int32, features, entries int) *matrix {
	t := svmTrainer{
		matrix: newMatrix(features, entries),
		duals:  make([]float32, entries), scores: make([]float32, entries),
	}
	for e := range t.matrix.bias {
		t.matrix.bias[e] = svmBias
	}
	rivals := make([][]rival, len(vectors))
	rng := rand.New(rand.NewPCG(1, uint64(len(vectors))))
	for pass := range svmPasses {
		for _, i := range rng.Perm(len(vectors)) {
			t.vector, t.own, t.square, t.steps = &vectors[i], owners[i], 1, t.steps[:0]
			for _, value := range t.vector.values {
				t.square += value * value
			}
			if pass < svmFull {
				rivals[i] = t.trainAll(rivals[i], pass+1 == svmFull)
			} else {
				t.train(rivals[i])
			}
			t.matrix.move(t.vector, t.steps)
		}
	}
	return t.matrix
}

// rival is an entry that moves with a text, and the dual variable of the two.
type rival struct {
	entry int32
	dual  float32
}

type svmTrainer struct {
	matrix *matrix
	vector *vector // of the text
	own    int32   // its entry
	square float32 // its squared length, with the bias
	scores []float32
	duals  []float32 // by entry; zero between texts
	steps  []step
}

// trainAll changes the dual variables of the text with all entries, and gives those that
// are not zero and, if that is asked for, those that may become so.
func (t *svmTrainer) trainAll(rivals []rival, reach bool) []rival {
	for _, r := range rivals {
		t.duals[r.entry] = r.dual
	}
	rivals = rivals[:0]
	t.matrix.score(t.vector, t.scores)
	for e, score := range t.scores {
		dual := t.change(int32(e), score, t.duals[e])
		t.duals[e] = 0
		if dual > 0 || reach && score > -1-svmReach {
			rivals = append(rivals, rival{int32(e), dual})
		}
	}
	return rivals
}

// train changes the dual variables of the text with its rivals.
func (t *svmTrainer) train(rivals []rival) {
	t.matrix.scoreOf(t.vector, rivals, t.scores)
	for i := range rivals {
		rivals[i].dual = t.change(rivals[i].entry, t.scores[i], rivals[i].dual)
	}
}

// change makes the best change of the dual variable of the text and an entry, and gives
// what it then is.
func (t *svmTrainer) change(entry int32, score, dual float32) float32 {
	sign := float32(-1)
	if entry == t.own {
		sign = 1
	}
	gradient := sign*score - 1 + dual*svmSlack
	if dual == 0 && gradient >= 0 {
		return dual
	}
	moved := max(0, dual-gradient/(t.square+svmSlack))
	by := sign * (moved - dual)
	if by > -least && by < least {
		return dual
	}
	t.matrix.bias[entry] += by
	t.steps = append(t.steps, step{entry, by})
	return moved
}

// least is a step too small to be worth going over the features.
const least = 1e-3

// Machines are support vector machines, one for each entry, over texts of some fixed size, such as the vectors of an
// encoder.
type Machines struct {
	matrix   *matrix
	features []feature
}

// TrainMachines trains the machine of each entry to tell its texts from those of the others. All texts have the same
// size, and owners are their entries, NoEntry for a text of none.
func TrainMachines(texts [][]float32, owners []int32, entries int) *Machines {
	m := &Machines{features: make([]feature, len(texts[0]))}
	for i := range m.features {
		m.features[i] = feature(i)
	}
	vectors := make([]vector, len(texts))
	for i, text := range texts {
		vectors[i] = vector{m.features, text}
	}
	m.matrix = trainSVM(vectors, owners, len(m.features), entries)
	return m
}

// Scores returns the score of each entry for a text: about 1 if the text belongs to it, -1 if not.
func (m *Machines) Scores(text []float32) []float32 {
	scores := make([]float32, m.matrix.entries)
	m.matrix.score(&vector{m.features, text}, scores)
	return scores
}
