package encoder

import (
	"math"
	"slices"
	"sync"
)

// scratch holds what one forward pass computes. The pool bounds what many passes leave to be collected.
type scratch struct {
	x, y, qkv, inner []float32
	shares           []float32 // of one token's attention
	quantised        quantised
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// sized returns a slice of n elements, in the memory of s if that is large enough.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// run leaves the vectors of the tokens of texts in s.x, text after text. Each text has the vectors that it has by
// itself; together they read the weights from memory once.
func (e *Encoder) run(s *scratch, texts ...[]int) {
	n, longest, h := 0, 0, e.Hidden
	for _, tokens := range texts {
		n, longest = n+len(tokens), max(longest, len(tokens))
	}
	s.x, s.y, s.qkv = sized(s.x, n*h), sized(s.y, n*h), sized(s.qkv, n*3*h)
	s.inner, s.shares = sized(s.inner, n*e.Inner), sized(s.shares, longest)
	row := h / BlockNumbers * BlockSize
	at := 0
	for _, tokens := range texts {
		x := s.x[at*h:][:len(tokens)*h]
		for t, id := range tokens {
			Widen(x[t*h:][:h], e.Embeddings[id*row:][:row])
		}
		addNorm(x, e.Position[:len(x)], &e.Norm, e.Epsilon)
		at += len(tokens)
	}
	for i := range e.Layers {
		l := &e.Layers[i]
		multiply(s.qkv, s.x, &l.QKV, &s.quantised)
		at = 0
		for _, tokens := range texts {
			e.attend(s.y[at*h:][:len(tokens)*h], s.qkv[at*3*h:][:len(tokens)*3*h], s.shares[:len(tokens)])
			at += len(tokens)
		}
		multiply(s.qkv[:n*h], s.y, &l.Out, &s.quantised)
		addNorm(s.x, s.qkv, &l.AfterAttention, e.Epsilon)
		multiply(s.inner, s.x, &l.Up, &s.quantised)
		gelu(s.inner)
		multiply(s.y, s.inner, &l.Down, &s.quantised)
		addNorm(s.x, s.y, &l.AfterInner, e.Epsilon)
	}
}

// pooled returns the vector of a text whose tokens have the vectors x.
func (e *Encoder) pooled(x []float32) Vector {
	h := e.Hidden
	v := slices.Clone(x[:h])
	for t := h; t < len(x); t += h { // the sum has the direction of the mean
		axpy(v, x[t:][:h], 1)
	}
	normalise(v)
	return v
}

// attend mixes the tokens' values, for each head by how well its queries and keys agree.
func (e *Encoder) attend(dst, qkv, shares []float32) {
	h, n := e.Hidden, len(shares)
	size := h / e.Heads
	clear(dst)
	for t := range n {
		for a := 0; a < h; a += size {
			q, top := qkv[t*3*h+a:][:size], float32(math.Inf(-1))
			for s := range shares {
				shares[s] = dot(q, qkv[s*3*h+h+a:][:size])
				top = max(top, shares[s])
			}
			var sum float32
			for s, w := range shares {
				shares[s] = exp(w - top)
				sum += shares[s]
			}
			for s, w := range shares {
				axpy(dst[t*h+a:][:size], qkv[s*3*h+2*h+a:][:size], w/sum)
			}
		}
	}
}
