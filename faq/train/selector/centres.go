package main

import (
	"math"

	"frontdesk/faq/encoder"
	"frontdesk/faq/semantic"
)

// centresOf computes the centres of an encoder from the training desks.
func centresOf(e semantic.Encoder, desks []*desk) *semantic.Centres {
	var wholes [2]mean // by kind
	var pieces mean
	add := func(kind encoder.Kind, texts ...string) {
		for _, text := range texts {
			t := e.Encode(encoder.Text{Kind: kind, Text: text})[0]
			wholes[kind].add(t.Whole)
			for _, p := range t.Pieces {
				pieces.add(p.Vector)
			}
		}
	}
	for _, d := range desks {
		for i := range d.entries {
			add(encoder.Query, d.entries[i].Question)
			add(encoder.Query, d.entries[i].Alternates...)
		}
		for _, q := range d.questions {
			add(encoder.Query, q.text)
		}
	}
	for _, d := range desks {
		for i := range d.entries {
			add(encoder.Passage, d.entries[i].Question+" "+d.entries[i].Answer)
		}
	}
	return &semantic.Centres{Query: wholes[encoder.Query].value(), Passage: wholes[encoder.Passage].value(),
		Piece: pieces.value()}
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
