package semantic

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"frontdesk/faq/encoder"
)

// Centres are the mean vectors of the training texts. They are taken away from every vector, because the
// vectors of an encoder crowd into one corner of the space.
type Centres struct {
	Query   []float32 `json:"query"`   // of questions and wordings
	Passage []float32 `json:"passage"` // of answers with their questions
	Piece   []float32 `json:"piece"`   // of the pieces of all of them
}

func (c *Centres) digest() string {
	data, _ := binary.Append(nil, binary.LittleEndian, slices.Concat(c.Query, c.Passage, c.Piece))
	return fmt.Sprintf("%.8x", sha256.Sum256(data))
}

// textKey identifies a text as one encoder reads it.
type textKey [sha256.Size]byte

func (r *Embedder) keyOf(t encoder.Text) textKey {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", r.ID(), r.centres, t.Kind, t.Text))
}

// encoded is what a text means: the whole of it, and each of its pieces. All vectors are centred.
type encoded struct {
	whole  encoder.Vector
	pieces []token
}

// token is a word or subword.
type token struct {
	id  int
	row encoder.Row
}

func (r *Embedder) encode(texts ...encoder.Text) []*encoded {
	out, centres := make([]*encoded, len(texts)), r.parameters.Centres
	for i, t := range r.Encode(texts...) {
		mean := centres.Query
		if texts[i].Kind == encoder.Passage {
			mean = centres.Passage
		}
		out[i] = &encoded{whole: centre(t.Whole, mean), pieces: make([]token, 0, len(t.Pieces))}
		for _, p := range t.Pieces {
			out[i].pieces = append(out[i].pieces, token{p.ID, encoder.RowOf(centre(p.Vector, centres.Piece))})
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

// centroid returns the direction of the mean of vectors.
func centroid(vectors []encoder.Vector) encoder.Vector {
	sum := make(encoder.Vector, vectorSize)
	for _, v := range vectors {
		for i := range sum {
			sum[i] += v[i]
		}
	}
	return centre(sum, nil)
}
