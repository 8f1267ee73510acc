package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"frontdesk/faq/encoder"
)

// positions is how many tokens of a text the encoder reads.
const positions = 128

// multilingual makes the model multilingual-e5-small from 4-bit weights, with the pieces of eight languages.
func multilingual(packages string) (*encoder.Model, error) {
	n, err := openNano(packages)
	if err != nil {
		return nil, err
	}
	special := []int{int(n.First), int(n.Last), int(n.Unknown)}
	kept, err := choosePieces(packages, n.pieces, n.scores)
	if err != nil {
		return nil, err
	}
	for _, i := range special { // a text cannot have a piece that begins with a zero byte
		n.pieces[i] = "\x00" + n.pieces[i]
	}
	kept = slices.Compact(slices.Sorted(slices.Values(append(kept, special...))))
	slices.SortFunc(kept, func(a, b int) int { return strings.Compare(n.pieces[a], n.pieces[b]) })

	m := &encoder.Model{
		Header: encoder.Header{
			Name: "multilingual-e5-small", Tokenizer: encoder.Unigram, Pool: encoder.Mean, Query: "query: ",
			Passage: "passage: ",
			First:   slices.Index(kept, special[0]), Last: slices.Index(kept, special[1]),
			Unknown:      slices.Index(kept, special[2]),
			UnknownScore: slices.Min(n.scores) - unknownPieceCost, Epsilon: n.Epsilon, Heads: int(n.Heads),
		},
		Position: n.vector("emb.pos")[:positions*n.Hidden],
		Norm:     encoder.Norm{Scale: n.vector("emb.ln.w"), Bias: n.vector("emb.ln.b")},
	}
	for i, v := range slices.Repeat(n.vector("emb.type")[:n.Hidden], positions) { // every token has the first type
		m.Position[i] += v
	}
	n.keepPieces(m, kept)
	for i := range int(n.Layers) {
		l := n.layer(i)
		m.Layers = append(m.Layers, encoder.Layer{
			QKV:            l.attention(int(n.Heads)),
			Out:            quantise(l.matrix("ao"), l.vector("ao.b")),
			AfterAttention: encoder.Norm{Scale: l.vector("aln.w"), Bias: l.vector("aln.b")},
			Up:             quantise(l.matrix("fi"), l.vector("fi.b")),
			Down:           quantise(l.matrix("fo"), l.vector("fo.b")),
			AfterInner:     encoder.Norm{Scale: l.vector("oln.w"), Bias: l.vector("oln.b")},
		})
	}
	return m, nil
}

// keepPieces copies the vocabulary and the embeddings of the kept pieces, whose order is that of their bytes.
func (n *nano) keepPieces(m *encoder.Model, kept []int) {
	row := int(n.Hidden) / encoder.BlockNumbers * encoder.BlockSize
	var starts, scores []byte
	var pieces, embeddings strings.Builder
	for _, i := range kept {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(pieces.Len()))
		scores = binary.LittleEndian.AppendUint32(scores, math.Float32bits(n.scores[i]))
		pieces.WriteString(n.pieces[i])
		embeddings.Write(n.tensor("emb.word")[i*row:][:row])
	}
	starts = binary.LittleEndian.AppendUint32(starts, uint32(pieces.Len()))
	m.Starts, m.Pieces, m.Scores, m.Embeddings = string(starts), pieces.String(), string(scores), embeddings.String()
}

// attention joins query, key and value. It scales the query by 1/√(size of a head).
func (l layer) attention(heads int) encoder.Linear {
	q, k, v := l.matrix("q"), l.matrix("k"), l.matrix("v")
	factor := float32(1 / math.Sqrt(float64(q.cols/heads)))
	scaled := func(f []float32) []float32 {
		f = slices.Clone(f)
		for i := range f {
			f[i] *= factor
		}
		return f
	}
	return quantise(
		&matrix{3 * q.rows, q.cols, slices.Concat(scaled(q.w), k.w, v.w)},
		slices.Concat(scaled(l.vector("q.b")), l.vector("k.b"), l.vector("v.b")))
}

// matrix is the weights of a linear layer, a row for each output.
type matrix struct {
	rows, cols int
	w          []float32
}

// quantise rounds each row to int8.
func quantise(m *matrix, bias []float32) encoder.Linear {
	l := encoder.Linear{Rows: m.rows, Cols: m.cols, Scale: make([]float32, m.rows), Bias: bias, W: make([]int8, len(m.w))}
	for r := range m.rows {
		row := m.w[r*m.cols:][:m.cols]
		var largest float64
		for _, v := range row {
			largest = max(largest, math.Abs(float64(v)))
		}
		l.Scale[r] = float32(largest / 127)
		if largest == 0 {
			l.Scale[r] = 1
		}
		for i, v := range row {
			l.W[r*m.cols+i] = int8(math.RoundToEven(float64(v / l.Scale[r])))
		}
	}
	return l
}
