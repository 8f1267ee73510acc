package weightfile

import (
	"math/rand/v2"
	"strings"
	"testing"

	"frontdesk/faq/encoder"
	"frontdesk/internal/expect"
)

func small() *encoder.Model {
	const hidden, inner, vocabulary, positions = 32, 64, 3, 4
	random := rand.New(rand.NewPCG(3, 4))
	floats := func(n int) []float32 {
		f := make([]float32, n)
		for i := range f {
			f[i] = float32(random.NormFloat64())
		}
		return f
	}
	linear := func(rows, cols int) encoder.Linear {
		l := encoder.Linear{Rows: rows, Cols: cols, Scale: floats(rows), Bias: floats(rows), W: make([]int8, rows*cols)}
		for i := range l.W {
			l.W[i] = int8(random.IntN(255) - 127)
		}
		return l
	}
	norm := func() encoder.Norm { return encoder.Norm{Scale: floats(hidden), Bias: floats(hidden)} }
	return &encoder.Model{
		Header: encoder.Header{
			Name: "small", Tokenizer: encoder.Unigram, Pool: encoder.Mean,
			First: 1, Heads: 2, Epsilon: 1e-12, UnknownScore: -3.5,
		},
		Starts:     "\x00\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00\x06\x00\x00\x00",
		Pieces:     "abbccc",
		Scores:     strings.Repeat("\x00", 4*vocabulary),
		Embeddings: strings.Repeat("\x11", vocabulary*hidden/encoder.BlockNumbers*encoder.BlockSize),
		Position:   floats(positions * hidden),
		Norm:       norm(),
		Layers: []encoder.Layer{{
			QKV: linear(3*hidden, hidden), Out: linear(hidden, hidden), AfterAttention: norm(),
			Up: linear(inner, hidden), Down: linear(hidden, inner), AfterInner: norm(),
		}},
	}
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	t.Parallel()
	want := small()
	file := expect.Value(Write(want))(t)
	got := expect.Value(encoder.Read(string(file)))(t)
	want.Header.Format, want.Vocabulary, want.Hidden, want.Inner, want.Positions = 1, 3, 32, 64, 4
	want.Header.Layers, want.SHA256 = 1, got.SHA256
	expect.Same(t, "the model", want, got)
	expect.OK(t, Verify(string(file)))
}

func TestReadAndVerifyRefuseChangedFiles(t *testing.T) {
	t.Parallel()
	file := expect.Value(Write(small()))(t)
	for n := range file {
		if _, err := encoder.Read(string(file[:n])); err == nil {
			t.Fatalf("%d bytes of %d: no error", n, len(file))
		}
	}
	expect.Says(t, "a longer file", expect.ErrorOf(encoder.Read(string(file)+"more")), "4 bytes too long")
	file[len(file)-1]++
	expect.Says(t, "a changed file", Verify(string(file)), "SHA-256")
}

func TestShippedWeightsHaveTheirDigest(t *testing.T) {
	t.Parallel()
	expect.OK(t, Verify(expect.File(t, "../../../encoder/data/multilingual.bin")))
}
