package lexical

// matrix is one linear score an entry: a row of weights for each feature.
type matrix struct {
	entries int
	weights []float32 // feature by feature
	bias    []float32 // by entry
}

func newMatrix(features, entries int) *matrix {
	return &matrix{entries: entries, weights: make([]float32, features*entries), bias: make([]float32, entries)}
}

func (m *matrix) row(f feature) []float32 {
	return m.weights[int(f)*m.entries:][:m.entries]
}

// score gives the score of each entry. Four rows are taken at once: going over the
// scores is what costs.
func (m *matrix) score(v *vector, scores []float32) {
	scores = scores[:m.entries]
	copy(scores, m.bias)
	i := 0
	for ; i+4 <= len(v.ids); i += 4 {
		a, b := m.row(v.ids[i])[:len(scores)], m.row(v.ids[i+1])[:len(scores)]
		c, d := m.row(v.ids[i+2])[:len(scores)], m.row(v.ids[i+3])[:len(scores)]
		va, vb, vc, vd := v.values[i], v.values[i+1], v.values[i+2], v.values[i+3]
		for e := range scores {
			scores[e] += (va*a[e] + vb*b[e]) + (vc*c[e] + vd*d[e])
		}
	}
	for ; i < len(v.ids); i++ {
		row, value := m.row(v.ids[i])[:len(scores)], v.values[i]
		for e := range scores {
			scores[e] += value * row[e]
		}
	}
}

func (m *matrix) scoreOf(v *vector, rivals []rival, scores []float32) {
	scores = scores[:len(rivals)]
	for at, r := range rivals {
		scores[at] = m.bias[r.entry]
	}
	for i, f := range v.ids {
		row, value := m.row(f), v.values[i]
		for at, r := range rivals {
			scores[at] += value * row[r.entry]
		}
	}
}

// step is a change of the score of one entry.
type step struct {
	entry int32
	by    float32
}

// move adds steps, times the features of v, to the weights.
func (m *matrix) move(v *vector, steps []step) {
	for i, f := range v.ids {
		row, value := m.row(f), v.values[i]
		for _, s := range steps {
			row[s.entry] += s.by * value
		}
	}
}
