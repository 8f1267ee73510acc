package encoder

import "testing"

func TestWiden(t *testing.T) {
	t.Parallel()
	const low, high = "\x80\x91\xa2\xb3\xc4\xd5\xe6\xf7\x08\x19\x2a\x3b\x4c\x5d\x6e\x7f", "\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88\x88"
	for _, row := range []struct {
		name, half string
		scale      float32
	}{
		{"one", "\x00\x3c", 1},
		{"minus two", "\x00\xc0", -2},
		{"largest", "\xff\x7b", 65504},
		{"smallest", "\x01\x00", 1.0 / (1 << 24)},
		{"minus largest subnormal", "\xff\x83", -1023.0 / (1 << 24)},
		{"zero", "\x00\x00", 0},
	} {
		got := make([]float32, 2*BlockNumbers)
		Widen(got, row.half+low+row.half+high)
		for i, v := range got {
			want := float32(0)
			switch {
			case i < 16:
				want = float32(i-8) * row.scale
			case i < 24:
				want = float32(i-16) * row.scale
			case i < 32:
				want = float32(i-32) * row.scale
			}
			if v != want {
				t.Errorf("scale %s: number %d is %v, want %v", row.name, i, v, want)
			}
		}
	}
}
