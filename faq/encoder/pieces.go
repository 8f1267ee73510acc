package encoder

import (
	"slices"
)

// Piece is a token of a text: a word or a part of one, with what it means in that text.
type Piece struct {
	ID     int    // of the token in the vocabulary
	Vector Vector // of length 1
}

// Text is a text to encode.
type Text struct {
	Kind Kind
	Text string
}

// Encoded is what a text means: the whole of it, and its pieces in their order, without the model's prefix and markers.
type Encoded struct {
	Whole  Vector
	Pieces []Piece
}

// Encode encodes texts. Several at once take less time than one after the other. It reads the first tokens of a long
// text, as many as the model has positions (128). Every input has a vector, the empty text too.
func (e *Encoder) Encode(texts ...Text) []Encoded {
	tokens := make([][]int, len(texts))
	for i, t := range texts {
		tokens[i] = e.tokens(t.Kind, t.Text)
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	e.run(s, tokens...)
	out := make([]Encoded, len(texts))
	rest := s.x
	for i, t := range texts {
		x := rest[:len(tokens[i])*e.Hidden]
		rest = rest[len(x):]
		out[i].Whole = e.pooled(x)
		skipped := 1 + len(e.split(nil, normalised(e.prefix(t.Kind))))
		for j := skipped; j < len(tokens[i])-1; j++ {
			v := slices.Clone(Vector(x[j*e.Hidden:][:e.Hidden]))
			normalise(v)
			out[i].Pieces = append(out[i].Pieces, Piece{tokens[i][j], v})
		}
	}
	return out
}

// Row is a vector rounded to int8.
type Row struct {
	Scale  float32 // what 1 stands for
	Values []int8
}

// RowOf rounds a vector.
func RowOf(v Vector) Row {
	var top float32
	for _, f := range v {
		top = max(top, f, -f)
	}
	row := Row{Scale: top / 127, Values: make([]int8, len(v))}
	if top > 0 {
		for i, f := range v {
			row.Values[i] = int8(int32(float32(f*float32(127/top))+128.5) - 128)
		}
	}
	return row
}

// Append appends the vector that the row stands for to dst.
func (r Row) Append(dst []float32) []float32 {
	for _, value := range r.Values {
		dst = append(dst, float32(float32(value)*r.Scale))
	}
	return dst
}

// Rows are rounded vectors of one length that are compared with others all at once.
type Rows struct {
	count  int
	linear Linear
}

// NewRows puts rows together.
func NewRows(rows []Row) *Rows {
	if len(rows) == 0 {
		return &Rows{}
	}
	cols := len(rows[0].Values)
	padded := (len(rows) + blockRows - 1) / blockRows * blockRows
	r := &Rows{count: len(rows), linear: Linear{
		Rows: padded, Cols: cols, W: make([]int8, 0, padded*cols), Scale: make([]float32, padded),
		Bias: make([]float32, padded),
	}}
	for i, row := range rows {
		r.linear.Scale[i] = row.Scale
		r.linear.W = append(r.linear.W, row.Values...)
	}
	r.linear.W = r.linear.W[:padded*cols]
	return r
}

// Len returns the number of vectors.
func (r *Rows) Len() int { return r.count }

// Compare returns, for each of a number of vectors, one after the other in others, its product with every row: vector i
// and row j at i*stride + j. The products are in the memory of dst if that is large enough.
func (r *Rows) Compare(dst, others []float32) (products []float32, stride int) {
	if r.count == 0 || len(others) == 0 {
		return nil, 0
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	products = sized(dst, len(others)/r.linear.Cols*r.linear.Rows)
	multiply(products, others, &r.linear, &s.quantised)
	return products, r.linear.Rows
}
