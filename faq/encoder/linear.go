package encoder

import (
	"math"
)

// A linear layer has int8 weights. Its input becomes int16 token by token, fine enough to lose next to
// nothing, and coarse enough for exact sums: 1536 · 127 · 8191 fits an int32. So every kernel computes the
// same sums, in whatever order it adds.
const (
	finest    = 8191 // the largest activation
	blockRows = 32   // done at once, so that they stay in the first cache for all tokens
	group     = 4    // tokens that a kernel does at once
)

// sums are the dot products of a block of rows with a group of tokens: row r and token t at r*group + t.
type sums [blockRows * group]int32

// quantised is the input of a linear layer.
type quantised struct {
	values []int16   // token after token, whole groups of them
	pairs  []int64   // the same, two tokens in a number, for the plain kernel
	steps  []float32 // by token: what 1 stands for
}

// multiply sets y to the outputs of a layer for the tokens of x.
func multiply(y, x []float32, l *Linear, q *quantised) {
	k := l.Cols
	n := len(x) / k
	groups := (n + group - 1) / group
	q.values, q.steps = sized(q.values, groups*group*k), sized(q.steps, n)
	for t := range n {
		q.steps[t] = quantise(q.values[t*k:][:k], x[t*k:][:k])
	}
	clear(q.values[n*k:])
	if !assembly {
		q.pack(k)
	}
	var acc sums
	for r := 0; r < l.Rows; r += blockRows {
		w, scale, bias := l.W[r*k:][:blockRows*k], l.Scale[r:][:blockRows], l.Bias[r:][:blockRows]
		for t := 0; t < n; t += group {
			if assembly {
				dotAssembly(&acc, w, q.values[t*k:][:group*k])
			} else {
				dotPlain(&acc, w, q.pairs[t/2*k:][:group/2*k])
			}
			for j := range min(group, n-t) {
				out, step := y[(t+j)*l.Rows+r:][:blockRows], q.steps[t+j]
				for i := range out {
					out[i] = float32(float32(acc[i*group+j])*float32(step*scale[i])) + bias[i]
				}
			}
		}
	}
}

// quantise rounds x to integers and returns what 1 stands for.
func quantise(q []int16, x []float32) float32 {
	var top uint32 // the bits of positive floats have the order of their values
	for _, v := range x {
		top = max(top, math.Float32bits(v)&^(1<<31))
	}
	largest := math.Float32frombits(top)
	if largest < 1e-30 {
		clear(q)
		return 0
	}
	inv := finest / largest
	q = q[:len(x)]
	for i, v := range x {
		q[i] = int16(math.Float32bits(float32(v*inv) + toInteger))
	}
	return largest / finest
}

// pack puts two tokens into each number, so that one multiplication does two.
func (q *quantised) pack(k int) {
	q.pairs = sized(q.pairs, len(q.values)/2)
	for t := 0; t < len(q.values); t += 2 * k {
		pairs, low, high := q.pairs[t/2:][:k], q.values[t:][:k], q.values[t+k:][:k]
		for i := range pairs {
			pairs[i] = int64(low[i]) + int64(high[i])<<32
		}
	}
}

// dotPlain computes sums without assembly. pairs are two rows of packed tokens.
func dotPlain(dst *sums, w []int8, pairs []int64) {
	k := len(pairs) / 2
	first, second := pairs[:k], pairs[k:]
	for r := range blockRows {
		var s, u int64
		row := w[r*k:][:k]
		p, q := first[:len(row)], second[:len(row)]
		for i, v := range row {
			s += int64(v) * p[i]
			u += int64(v) * q[i]
		}
		d := dst[r*group:][:group]
		d[0], d[1] = unpack(s)
		d[2], d[3] = unpack(u)
	}
}

// unpack splits a sum of pairs. The low half has borrowed from the high one if it is negative.
func unpack(s int64) (low, high int32) {
	low = int32(s)
	return low, int32((s - int64(low)) >> 32)
}
