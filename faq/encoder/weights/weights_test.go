package weights

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small returns a model of one layer with random weights.
func small() *Model {
	const hidden, inner, vocabulary, positions = 32, 64, 3, 4
	random := rand.New(rand.NewPCG(3, 4))
	floats := func(n int) []float32 {
		f := make([]float32, n)
		for i := range f {
			f[i] = float32(random.NormFloat64())
		}
		return f
	}
	linear := func(rows, cols int) Linear {
		l := Linear{rows, cols, floats(rows), floats(rows), make([]int8, rows*cols)}
		for i := range l.W {
			l.W[i] = int8(random.IntN(255) - 127)
		}
		return l
	}
	norm := func() Norm { return Norm{floats(hidden), floats(hidden)} }
	return &Model{
		Header:     Header{Name: "small", Tokenizer: Unigram, Pool: Mean, First: 1, Heads: 2, Epsilon: 1e-12, UnknownScore: -3.5},
		Starts:     "\x00\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00\x06\x00\x00\x00",
		Pieces:     "abbccc",
		Scores:     strings.Repeat("\x00", 4*vocabulary),
		Embeddings: strings.Repeat("\x11", vocabulary*hidden/BlockNumbers*BlockSize),
		Position:   floats(positions * hidden),
		Norm:       norm(),
		Layers: []Layer{{
			linear(3*hidden, hidden), linear(hidden, hidden), norm(), linear(inner, hidden), linear(hidden, inner), norm(),
		}},
	}
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	t.Parallel()
	want := small()
	file, err := Write(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(string(file))
	if err != nil {
		t.Fatal(err)
	}
	want.Header.Format, want.Vocabulary, want.Hidden, want.Inner, want.Positions = 1, 3, 32, 64, 4
	want.Header.Layers, want.SHA256 = 1, got.SHA256
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := Verify(string(file)); err != nil {
		t.Error(err)
	}
}

func TestReadAndVerifyRefuseChangedFiles(t *testing.T) {
	t.Parallel()
	file, err := Write(small())
	if err != nil {
		t.Fatal(err)
	}
	for n := range file {
		if _, err := Read(string(file[:n])); err == nil {
			t.Fatalf("%d bytes of %d: no error", n, len(file))
		}
	}
	if _, err := Read(string(file) + "more"); err == nil || !strings.Contains(err.Error(), "4 bytes too long") {
		t.Errorf("a longer file: error %v", err)
	}
	file[len(file)-1]++
	if err := Verify(string(file)); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("a changed file: error %v", err)
	}
}

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
