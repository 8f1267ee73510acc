package encoder

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func plainSums(w []int8, a []int16) *sums {
	k := len(a) / group
	var want sums
	for r := range blockRows {
		for t := range group {
			for i := range k {
				want[r*group+t] += int32(w[r*k+i]) * int32(a[t*k+i])
			}
		}
	}
	return &want
}

func checkKernels(t *testing.T, w []int8, a []int16) {
	t.Helper()
	want := plainSums(w, a)
	var got sums
	q := quantised{values: a}
	q.pack(len(a) / group)
	if dotPlain(&got, w, q.pairs); got != *want {
		t.Errorf("plain kernel: wrong sums for %d columns", len(a)/group)
	}
	if !assembly {
		return
	}
	if dotAssembly(&got, w, a); got != *want {
		t.Errorf("assembly kernel: wrong sums for %d columns", len(a)/group)
	}
}

func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	always := func(n int) func() int { return func() int { return n } }
	upTo := func(most int) func() int { return func() int { return random.IntN(2*most+1) - most } }
	ends := func(most, of int) func() int { return func() int { return most - 2*most*(random.IntN(of)/(of-1)) } }
	for _, k := range []int{16, 32, 384, 1536} {
		for _, row := range []struct {
			name               string
			weight, activation func() int
		}{
			{"random", upTo(127), upTo(finest)},
			{"largest", always(127), always(finest)},
			{"smallest", always(-127), always(finest)},
			{"mixed ends", ends(127, 2), ends(finest, 2)},
			{"mostly one end", always(-127), ends(finest, 20)},
			{"zero", always(0), always(finest)},
		} {
			w, a := make([]int8, blockRows*k), make([]int16, group*k)
			for i := range w {
				w[i] = int8(row.weight())
			}
			for i := range a {
				a[i] = int16(row.activation())
			}
			t.Run(fmt.Sprintf("%s/columns=%d", row.name, k), func(t *testing.T) { checkKernels(t, w, a) })
		}
	}
}

func FuzzKernels(f *testing.F) {
	f.Add([]byte("\x7f\x81\x00\x01"), []byte("\xff\x1f\x01\xe0"), uint8(24))
	f.Fuzz(func(t *testing.T, weightBytes, activationBytes []byte, chunks uint8) {
		if len(weightBytes) == 0 || len(activationBytes) < 2 {
			t.Skip("nothing to multiply")
		}
		k := 16 * (1 + int(chunks)%96)
		w, a := make([]int8, blockRows*k), make([]int16, group*k)
		for i := range w {
			w[i] = max(int8(weightBytes[i%len(weightBytes)]), -127)
		}
		for i := range a {
			at := 2 * i % (len(activationBytes) - 1)
			a[i] = int16(binary.LittleEndian.Uint16(activationBytes[at:])) % (finest + 1)
		}
		checkKernels(t, w, a)
	})
}

func TestQuantise(t *testing.T) {
	t.Parallel()
	for _, x := range [][]float32{
		{0, 0, 0}, {1, -1, 0.5}, {1e-38, 0}, {3e38, -3e38, 1}, {0.1, 0.2, -0.3}, {-5},
	} {
		q := make([]int16, len(x))
		step := quantise(q, x)
		for i, v := range x {
			if d := math.Abs(float64(q[i])*float64(step) - float64(v)); d > math.Max(0.5001*float64(step), 1e-30) {
				t.Errorf("%v: %v became %d steps of %v", x, v, q[i], step)
			}
			if q[i] > finest || q[i] < -finest {
				t.Errorf("%v: %d is out of range", x, q[i])
			}
		}
	}
}
