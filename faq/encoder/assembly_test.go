//go:build amd64 && !purego

package encoder

import (
	"slices"
	"testing"
)

// A machine without AVX2 computes the same vectors. This test is not parallel: it changes the kernel.
func TestVectorsWithoutAssembly(t *testing.T) {
	if !assembly {
		t.Skip("this processor has no AVX2: every test runs with the plain kernel")
	}
	defer func() { assembly = true }()
	e := open(t)
	for i, r := range reference(t) {
		if i%60 != 0 {
			continue
		}
		assembly = true
		want := vectorOf(e, Query, r.Text)
		assembly = false
		if got := vectorOf(e, Query, r.Text); !slices.Equal(got, want) {
			t.Errorf("%q has another vector with the plain kernel", r.Text)
		}
	}
}

func BenchmarkEncodeWithoutAssembly(b *testing.B) {
	defer func(old bool) { assembly = old }(assembly)
	assembly = false
	BenchmarkEncode(b)
}
