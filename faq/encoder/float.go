package encoder

import (
	"math"
	"sync"
)

// Go may compute x*y + z with a single rounding where the processor can (arm64, amd64 with GOAMD64=v3). An
// explicit conversion of the product forbids it, so that every machine computes the same numbers. For the
// same reason this file has its own exp and erf: those of package math differ between processors.

// addNorm adds y to x and normalises the vector of each token.
func addNorm(x, y []float32, n *Norm, epsilon float32) {
	h := len(n.Scale)
	for t := 0; t < len(x); t += h {
		v, w := x[t:][:h:h], y[t:][:h:h]
		for i := range v {
			v[i] += w[i]
		}
		mean := sum(v) / float32(h)
		for i := range v {
			v[i] -= mean
		}
		inv := float32(1 / math.Sqrt(float64(dot(v, v)/float32(h)+epsilon)))
		scale, bias := n.Scale[:len(v)], n.Bias[:len(v)]
		for i := range v {
			v[i] = float32(float32(v[i]*inv)*scale[i]) + bias[i]
		}
	}
}

// sum, dot and axpy take slices whose length is a multiple of four.
func sum(a []float32) float32 {
	var s [4]float32
	for i, v := range a {
		s[i%4] += v
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		u, v := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float32(u[0] * v[0])
		s1 += float32(u[1] * v[1])
		s2 += float32(u[2] * v[2])
		s3 += float32(u[3] * v[3])
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds p times x to dst.
func axpy(dst, x []float32, p float32) {
	for i := 0; i+4 <= len(dst) && i+4 <= len(x); i += 4 {
		u, v := dst[i:i+4:i+4], x[i:i+4:i+4]
		u[0] += float32(p * v[0])
		u[1] += float32(p * v[1])
		u[2] += float32(p * v[2])
		u[3] += float32(p * v[3])
	}
}

// toInteger makes a float32 between -2^22 and 2^22 round to an integer, which is then in its low bits.
const toInteger = 3 << 22

// exp returns e^x for x <= 0, within 2 units in the last place.
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	const log2e, ln2hi, ln2lo = 1.44269504, 0.693359375, -2.12194440e-4
	k := float32(x*log2e) + toInteger - toInteger
	r := x - float32(k*ln2hi)
	r -= float32(k * ln2lo)
	p := float32(1.9875691500e-4) // the polynomial of Cephes' expf
	for _, c := range [...]float32{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		p = float32(p*r) + c
	}
	p = float32(float32(p*r)*r) + r + 1
	return p * math.Float32frombits(uint32(int32(k)+127)<<23)
}

// The table of gelu reaches from -geluEnd to geluEnd in steps of 1/geluSteps; between them gelu is a line.
const geluEnd, geluSteps = 6, 256

var geluTable [2*geluEnd*geluSteps + 2]float32

// fillGelu computes the table, once an encoder is opened.
var fillGelu = sync.OnceFunc(func() {
	for i := range geluTable {
		x := float64(i)/geluSteps - geluEnd
		geluTable[i] = float32(x * (0.5 + float64(0.5*erf(x/math.Sqrt2))))
	}
})

// erf is the error function by its Taylor series, within 1e-8 where the table needs it.
func erf(x float64) float64 {
	term, sum := x, x
	for n := 1.; math.Abs(term) > 1e-12; n++ {
		term *= float64(-x*x) / n
		sum += term / (2*n + 1)
	}
	return float64(sum * (2 / math.SqrtPi))
}

// gelu applies the activation x·Φ(x).
func gelu(x []float32) {
	for i, v := range x {
		if v <= -geluEnd {
			x[i] = 0
		} else if v < geluEnd {
			f := (v + geluEnd) * geluSteps
			k := int(f)
			low := geluTable[k]
			x[i] = low + float32((geluTable[k+1]-low)*(f-float32(k)))
		}
	}
}
