package main

import (
	"math"

	"frontdesk/faq/encoder"
	"frontdesk/faq/meaning"
)

// newCentres computes the centres of an encoder from training texts.
func newCentres(e meaning.Encoder, queries, passages []string) *meaning.Centres {
	var pieces mean
	of := func(kind encoder.Kind, texts []string) []float32 {
		var whole mean
		for _, text := range texts {
			t := e.Encode(encoder.Text{Kind: kind, Text: text})[0]
			whole.add(t.Whole)
			for _, p := range t.Pieces {
				pieces.add(p.Vector)
			}
		}
		return whole.value()
	}
	c := &meaning.Centres{Query: of(encoder.Query, queries), Passage: of(encoder.Passage, passages)}
	c.Piece = pieces.value()
	return c
}

// mean sums up vectors.
type mean struct {
	sum   []float64
	count float64
}

func (m *mean) add(v encoder.Vector) {
	if m.sum == nil {
		m.sum = make([]float64, len(v))
	}
	for i, f := range v {
		m.sum[i] += float64(f)
	}
	m.count++
}

// value returns the mean, rounded to what a data file needs.
func (m *mean) value() []float32 {
	value := make([]float32, len(m.sum))
	for i, s := range m.sum {
		value[i] = float32(math.Round(s/m.count*1e6) / 1e6)
	}
	return value
}
