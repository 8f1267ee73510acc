package main

import (
	"testing"

	"frontdesk/faq/encoder"
)

type namedEncoder struct {
	*encoder.Encoder
	number float32
}

func (e namedEncoder) Encode(...encoder.Text) []encoder.Encoded {
	return []encoder.Encoded{{Whole: encoder.Vector{e.number, 1}}}
}

func TestTextOfFoldIsEncodedByItsEncoder(t *testing.T) {
	t.Parallel()
	named := func(number float32) *cachedEncoder {
		return &cachedEncoder{Encoder: namedEncoder{number: number}, known: map[encoder.Text]cachedText{}}
	}
	e := &foldEncoder{named(0), []*cachedEncoder{named(.25), named(.5)}, map[string]int{"of the first": 0, "of the second": 1}}
	for text, want := range map[string]float32{"of none": 0, "of the first": .25, "of the second": .5} {
		for range 2 { // the second time from the cache
			if v := e.Encode(encoder.Text{Kind: encoder.Query, Text: text})[0].Whole; v[0] < want-.01 || v[0] > want+.01 {
				t.Errorf("%q is encoded by the encoder of %v, want %v", text, v[0], want)
			}
		}
	}
}
