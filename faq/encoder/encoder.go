// Package encoder turns a sentence into a vector, so that texts of the same meaning lie close together
// although they share no word.
//
// It runs a small BERT model in Go: no cgo, no runtime to install, nothing to download. The weights are
// embedded and read in place. Linear layers multiply int8 weights by int16 activations into exact int32
// sums, and every float operation is rounded explicitly, so a text has the same vector, bit for bit, on
// every machine, with the assembly kernel and without it.
package encoder

import (
	_ "embed"
	"fmt"
	"math"
	"sync"
	"unicode"
)

// arithmetic names how this package computes a vector from the weights. Change it whenever a vector may
// differ from the one an earlier version computed: it is a part of Encoder.ID, by which vectors are cached.
const arithmetic = "1"

// Kind says what a text is used for. Some models prefix questions and answers differently.
type Kind int

const (
	// Query is a question, or a wording to which questions are compared.
	Query Kind = iota
	// Passage is a text that may hold the answer to a question.
	Passage
)

// Vector is the meaning of a text, of length 1.
type Vector []float32

// Cosine returns the similarity of two vectors of one encoder, from -1 to 1.
func Cosine(a, b Vector) float32 { return dot(a, b) }

// Encoder computes vectors. It is safe for use by several goroutines; each call uses one processor.
type Encoder struct {
	*Model
	id string
}

//go:embed data/multilingual.bin
var multilingualWeights string

// Multilingual returns the embedded multilingual-e5-small, which reads English, German, Spanish, French,
// Italian, Portuguese, Dutch and Polish. The first call opens it, in about a millisecond.
var Multilingual = sync.OnceValues(func() (*Encoder, error) { return Open(multilingualWeights) })

// Open reads the weights of an encoder (see package weights). They are used in place.
func Open(file string) (*Encoder, error) {
	w, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	if w.Tokenizer != Unigram || w.Pool != Mean {
		return nil, fmt.Errorf("encoder: tokenizer %q with pool %q is not supported", w.Tokenizer, w.Pool)
	}
	fillGelu()
	return &Encoder{Model: w, id: fmt.Sprintf("%s-%.16s-%s", w.Name, w.SHA256, arithmetic)}, nil
}

// ID names the model, its weights and the arithmetic: two encoders with one ID compute the same vectors.
func (e *Encoder) ID() string { return e.id }

// Token returns the text of a token, in which ▁ is a space, and how much it says: the negative logarithm of its share
// of the texts that the vocabulary was made from.
func (e *Encoder) Token(id int) (text string, information float64) {
	return e.at(id), -float64(Float32(e.Scores, id))
}

// Tokens is how many tokens the vocabulary has; their ids begin at 0.
func (e *Encoder) Tokens() int { return e.Vocabulary }

// Coverage returns the share of the letters and digits of a text that are in the model's vocabulary, from 0
// to 1. It is low for a text in a script that the model does not read, and 0 for a text without letters.
func (e *Encoder) Coverage(text string) float64 {
	known, all := 0, 0
	for _, r := range normalised(cut(text)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			all++
			if _, ok := e.find(string(r)); ok {
				known++
			}
		}
	}
	return float64(known) / float64(max(all, 1))
}

func normalise(v []float32) {
	scale := float32(1 / math.Sqrt(float64(dot(v, v))+1e-30))
	for i := range v {
		v[i] *= scale
	}
}
