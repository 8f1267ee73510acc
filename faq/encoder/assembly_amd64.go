//go:build !purego

package encoder

import "golang.org/x/sys/cpu"

// assembly chooses the assembly kernel. Tests compare both.
var assembly = cpu.X86.HasAVX2

// dotAssembly computes sums with AVX2: w is blockRows rows, a is group tokens of len(a)/group columns, a
// multiple of 16.
func dotAssembly(dst *sums, w []int8, a []int16) {
	k := len(a) / group
	_ = w[blockRows*k-1]
	dotAVX2(dst, &w[0], &a[0], k)
}

//go:noescape
func dotAVX2(dst *sums, w *int8, a *int16, k int)
