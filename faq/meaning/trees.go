package meaning

// Trees are gradient-boosted regression trees (Friedman 2001) for the log odds that something is true.
type Trees struct {
	Start float64  `json:"start"` // log odds before the first tree
	Trees [][]Node `json:"trees"`
}

// Node is a node of a tree. Its first node is the root.
type Node struct {
	Feature int     `json:"f"`           // -1 for a leaf
	Split   float64 `json:"s,omitempty"` // values up to it go left, larger ones right
	Left    int     `json:"l,omitempty"`
	Right   int     `json:"r,omitempty"`
	Value   float64 `json:"v,omitempty"` // of a leaf: log odds to add
}

// LogOdds adds up the trees for a row of features.
func (t *Trees) LogOdds(x []float64) float64 {
	sum := t.Start
	for _, tree := range t.Trees {
		n := &tree[0]
		for n.Feature >= 0 {
			if x[n.Feature] <= n.Split {
				n = &tree[n.Left]
			} else {
				n = &tree[n.Right]
			}
		}
		sum += n.Value
	}
	return sum
}
