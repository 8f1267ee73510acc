package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// How trees are grown. Many small, slow trees resist the noise of a few thousand questions.
const (
	learningRate = 0.04
	leaves       = 8
	leastInLeaf  = 40
	leafRidge    = 5.0
	mostBins     = 64
	triedShare   = 0.3 // of the features, drawn anew for each tree: many of them say nearly the same
	fewestTried  = 8
)

// treeTrainer grows trees on rows whose features are quantised into bins.
type treeTrainer struct {
	bins     [][]uint8   // by feature and row
	cuts     [][]float64 // by feature: the largest value of each bin but the last
	gradient []float64   // by row
	bend     []float64   // by row: second derivative
	tried    []int       // features that the tree may use
}

// growTrees fits trees to the log odds that a row is right. right is 1, 0 or a probability. Each round adds one tree.
func growTrees(rows [][]float64, right []float64, weights []float64, rounds int) *semantic.Trees {
	t := &treeTrainer{gradient: make([]float64, len(rows)), bend: make([]float64, len(rows))}
	t.bin(rows)
	var yes, all float64
	for i, w := range weights {
		all += w
		yes += w * right[i]
	}
	mean := all / float64(len(rows)) // weights are brought to a mean of one
	trees := &semantic.Trees{Start: math.Log(yes / (all - yes))}
	odds := make([]float64, len(rows))
	for i := range odds {
		odds[i] = trees.Start
	}
	everyone := make([]int32, len(rows))
	rng := rand.New(rand.NewPCG(11, 11))
	for range rounds {
		t.tried = rng.Perm(len(t.bins))[:min(len(t.bins), max(fewestTried, int(triedShare*float64(len(t.bins)))))]
		slices.Sort(t.tried)
		for i := range rows {
			p := lexical.Sigmoid(odds[i])
			w := weights[i] / mean
			t.gradient[i], t.bend[i] = w*(p-right[i]), w*p*(1-p)
			everyone[i] = int32(i)
		}
		tree := t.grow(slices.Clone(everyone), odds)
		trees.Trees = append(trees.Trees, tree)
	}
	return trees
}

// bin cuts every feature into bins of about equal counts.
func (t *treeTrainer) bin(rows [][]float64) {
	features := len(rows[0])
	t.bins, t.cuts = make([][]uint8, features), make([][]float64, features)
	for f := range features {
		values := make([]float64, len(rows))
		for i := range rows {
			values[i] = rows[i][f]
		}
		slices.Sort(values)
		var cuts []float64
		for b := 1; b < mostBins; b++ {
			cut := values[b*len(values)/mostBins]
			if cut < values[len(values)-1] && (len(cuts) == 0 || cut > cuts[len(cuts)-1]) {
				cuts = append(cuts, cut)
			}
		}
		t.cuts[f], t.bins[f] = cuts, make([]uint8, len(rows))
		for i := range rows {
			at, _ := slices.BinarySearch(cuts, rows[i][f])
			t.bins[f][i] = uint8(at)
		}
	}
}

// branch is a leaf that may be split.
type branch struct {
	node           int // place in the tree
	rows           []int32
	gain           float64
	feature, bin   int
	gradient, bend float64
}

// grow makes one tree, always splitting the leaf that gains most, and moves the odds of its rows.
func (t *treeTrainer) grow(rows []int32, odds []float64) []semantic.Node {
	tree := []semantic.Node{{Feature: -1}}
	open := []branch{t.best(branch{rows: rows})}
	for len(open) < leaves {
		at := 0
		for i := range open {
			if open[i].gain > open[at].gain {
				at = i
			}
		}
		b := open[at]
		if b.gain <= 0 {
			break
		}
		var left, right []int32
		for _, row := range b.rows {
			if int(t.bins[b.feature][row]) <= b.bin {
				left = append(left, row)
			} else {
				right = append(right, row)
			}
		}
		l, r := len(tree), len(tree)+1
		tree[b.node] = semantic.Node{Feature: b.feature, Split: float32(t.cuts[b.feature][b.bin]), Left: l, Right: r}
		tree = append(tree, semantic.Node{Feature: -1}, semantic.Node{Feature: -1})
		open[at] = t.best(branch{node: l, rows: left})
		open = append(open, t.best(branch{node: r, rows: right}))
	}
	for _, b := range open {
		value := -learningRate * b.gradient / (b.bend + leafRidge)
		tree[b.node].Value = float32(value)
		for _, row := range b.rows {
			odds[row] += value
		}
	}
	return tree
}

// best finds the split of a leaf that gains most; features are tried on all processors.
func (t *treeTrainer) best(b branch) branch {
	for _, row := range b.rows {
		b.gradient += t.gradient[row]
		b.bend += t.bend[row]
	}
	tried := make([]branch, len(t.tried))
	var group sync.WaitGroup
	const parts = 4
	for part := range parts {
		group.Go(func() {
			for i := part; i < len(t.tried); i += parts {
				tried[i] = t.split(b, t.tried[i])
			}
		})
	}
	group.Wait()
	return slices.MaxFunc(append([]branch{b}, tried...), func(x, y branch) int { return cmp.Compare(x.gain, y.gain) })
}

func (t *treeTrainer) split(b branch, feature int) branch {
	var gradient, bend [mostBins]float64
	var count [mostBins]int
	for _, row := range b.rows {
		bin := t.bins[feature][row]
		gradient[bin] += t.gradient[row]
		bend[bin] += t.bend[row]
		count[bin]++
	}
	score := func(g, h float64) float64 { return g * g / (h + leafRidge) }
	var g, h float64
	n, whole := 0, score(b.gradient, b.bend)
	b.feature = feature
	for bin := range t.cuts[feature] {
		g, h, n = g+gradient[bin], h+bend[bin], n+count[bin]
		if n < leastInLeaf || len(b.rows)-n < leastInLeaf {
			continue
		}
		if gain := score(g, h) + score(b.gradient-g, b.bend-h) - whole; gain > b.gain+1e-9 {
			b.gain, b.bin = gain, bin
		}
	}
	return b
}
