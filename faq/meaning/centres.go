package meaning

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"

	"frontdesk/faq/encoder"
)

// Centres are the mean vectors of the training texts. They are taken away from every vector, because the
// vectors of an encoder crowd into one corner of the space.
type Centres struct {
	Query   []float32 `json:"query"`   // of questions and wordings
	Passage []float32 `json:"passage"` // of answers with their questions
	Piece   []float32 `json:"piece"`   // of the pieces of all of them

	once sync.Once
	hash string
}

// id names the numbers.
func (c *Centres) id() string {
	c.once.Do(func() {
		var data []byte
		for _, mean := range [][]float32{c.Query, c.Passage, c.Piece} {
			for _, f := range mean {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
			}
		}
		sum := sha256.Sum256(data)
		c.hash = hex.EncodeToString(sum[:8])
	})
	return c.hash
}

// encode encodes a text and centres its vectors.
func (c *Centres) encode(e Encoder, t source) *encoded {
	whole, pieces := e.EncodePieces(t.kind, t.text)
	mean := c.Query
	if t.kind == encoder.Passage {
		mean = c.Passage
	}
	text := &encoded{whole: centred(whole, mean)}
	for _, p := range pieces {
		text.pieces = append(text.pieces, piece{int32(p.ID), encoder.RowOf(centred(p.Vector, c.Piece))})
	}
	return text
}

// centred returns v less the mean, at length 1.
func centred(v encoder.Vector, mean []float32) encoder.Vector {
	out := make(encoder.Vector, len(v))
	var square float32
	for i := range v {
		out[i] = v[i]
		if mean != nil {
			out[i] -= mean[i]
		}
		square += float32(out[i] * out[i])
	}
	scale := float32(1 / math.Sqrt(float64(square)+1e-12))
	for i := range out {
		out[i] *= scale
	}
	return out
}
