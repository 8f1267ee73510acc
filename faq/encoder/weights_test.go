package encoder

import (
	"strings"
	"testing"
)

func TestWiden(t *testing.T) {
	t.Parallel()
	const low = "\x80\x91\xa2\xb3\xc4\xd5\xe6\xf7\x08\x19\x2a\x3b\x4c\x5d\x6e\x7f"
	high := strings.Repeat("\x88", 16)
	for half, scale := range map[string]float32{
		"\x00\x3c": 1,
		"\x00\xc0": -2,
		"\xff\x7b": 65504,               // the largest
		"\x01\x00": 1.0 / (1 << 24),     // the smallest
		"\xff\x83": -1023.0 / (1 << 24), // the largest subnormal, negative
		"\x00\x00": 0,
	} {
		got := make([]float32, 2*BlockNumbers)
		Widen(got, half+low+half+high)
		for i, v := range got {
			want := float32(0)
			switch {
			case i < 16:
				want = float32(i-8) * scale
			case i < 24:
				want = float32(i-16) * scale
			case i < 32:
				want = float32(i-32) * scale
			}
			if v != want {
				t.Errorf("scale %v: number %d is %v, want %v", scale, i, v, want)
			}
		}
	}
}
