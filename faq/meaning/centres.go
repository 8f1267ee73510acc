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

// encode encodes texts and centres their vectors.
func (c *Centres) encode(e Encoder, texts ...encoder.Text) []*encoded {
	out := make([]*encoded, len(texts))
	for i, t := range e.Encode(texts...) {
		mean := c.Query
		if texts[i].Kind == encoder.Passage {
			mean = c.Passage
		}
		out[i] = &encoded{whole: centre(t.Whole, mean), pieces: make([]piece, 0, len(t.Pieces))}
		for _, p := range t.Pieces {
			out[i].pieces = append(out[i].pieces, piece{int32(p.ID), encoder.RowOf(centre(p.Vector, c.Piece))})
		}
	}
	return out
}

// centre takes the mean away from v, if there is one, gives v the length 1, and returns it.
func centre(v encoder.Vector, mean []float32) encoder.Vector {
	var square float32
	for i := range v {
		if mean != nil {
			v[i] -= mean[i]
		}
		square += float32(v[i] * v[i])
	}
	scale := float32(1 / math.Sqrt(float64(square)+1e-12))
	for i := range v {
		v[i] *= scale
	}
	return v
}
