// Package weights reads and writes the weight files of package encoder.
//
// A file, all numbers little-endian, every section padded to four bytes:
//
//	"FDE1", the length of the header (uint32), the header (JSON, padded with spaces)
//	vocabulary: where each piece starts (uint32, one more than pieces), the pieces in byte order, and
//	  their scores (float32)
//	embeddings: the blocks of each piece (see Widen)
//	positions (float32), scale and bias of the first normalisation (float32)
//	each layer: query, key and value as one matrix, output, normalisation, up, down, normalisation
//
// A matrix is a float32 scale for each row, a float32 bias for each row, and its int8 rows.
package weights

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

const (
	magic  = "FDE1"
	format = 1
)

// Header describes a model. Tokens are places in the vocabulary.
type Header struct {
	Format       int     `json:"format"`
	Name         string  `json:"name"`
	Tokenizer    string  `json:"tokenizer"`     // Unigram
	Pool         string  `json:"pool"`          // Mean
	Query        string  `json:"query"`         // prefix of a query
	Passage      string  `json:"passage"`       // prefix of a passage
	First        int     `json:"first"`         // token before every text
	Last         int     `json:"last"`          // token after every text
	Unknown      int     `json:"unknown"`       // token of what the vocabulary lacks
	UnknownScore float32 `json:"unknown_score"` // of that token in a unigram model
	Epsilon      float32 `json:"epsilon"`       // of the normalisations
	Vocabulary   int     `json:"vocabulary"`    // pieces
	Hidden       int     `json:"hidden"`        // numbers of a token's vector
	Heads        int     `json:"heads"`
	Inner        int     `json:"inner"` // numbers between Up and Down
	Positions    int     `json:"positions"`
	Layers       int     `json:"layers"`
	SHA256       string  `json:"sha256"` // of everything after the header
}

// Values of Header.Tokenizer and Header.Pool.
const (
	Unigram = "unigram" // SentencePiece's unigram model
	Mean    = "mean"    // the vector of a text is the mean of its tokens
)

// Model is what a file holds. Read leaves the large parts where they are: they must not be changed.
type Model struct {
	Header
	Starts, Pieces, Scores string // of the vocabulary, as in the file
	Embeddings             string
	Position               []float32
	Norm                   Norm
	Layers                 []Layer
}

// Layer is a layer of a transformer. The query's part of QKV is scaled by 1/√(size of a head).
type Layer struct {
	QKV, Out       Linear
	AfterAttention Norm
	Up, Down       Linear
	AfterInner     Norm
}

// Linear computes Scale · (W · x) + Bias.
type Linear struct {
	Rows, Cols  int
	Scale, Bias []float32 // by row
	W           []int8    // row after row
}

// Norm is a layer normalisation.
type Norm struct{ Scale, Bias []float32 }

// Read opens a file. It checks the sizes of the sections, not the digest (see Verify).
func Read(file string) (m *Model, err error) {
	if !strings.HasPrefix(file, magic) {
		return nil, fmt.Errorf("not a weight file: it does not begin with %s", magic)
	}
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("weight file too short or broken: %v", p)
		}
	}()
	r := reader(file[len(magic):])
	m = new(Model)
	if err := json.Unmarshal([]byte(r.bytes(int(Uint32(r.bytes(4), 0)))), &m.Header); err != nil {
		return nil, fmt.Errorf("header of the weight file: %w", err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("weight file of format %d, want %d", m.Format, format)
	}
	hidden := m.Hidden
	m.Starts = r.bytes(4 * (m.Vocabulary + 1))
	m.Pieces = r.bytes(int(Uint32(m.Starts, m.Vocabulary)))
	m.Scores = r.bytes(4 * m.Vocabulary)
	m.Embeddings = r.bytes(m.Vocabulary * hidden / BlockNumbers * BlockSize)
	m.Position = r.floats(m.Positions * hidden)
	m.Norm = r.norm(hidden)
	m.Layers = make([]Layer, m.Header.Layers)
	for i := range m.Layers {
		m.Layers[i] = Layer{
			QKV: r.linear(3*hidden, hidden), Out: r.linear(hidden, hidden), AfterAttention: r.norm(hidden),
			Up: r.linear(m.Inner, hidden), Down: r.linear(hidden, m.Inner), AfterInner: r.norm(hidden),
		}
	}
	if len(r) != 0 {
		return nil, fmt.Errorf("weight file %d bytes too long", len(r))
	}
	return m, nil
}

// Verify returns an error if the digest in the header is not that of the file.
func Verify(file string) error {
	m, err := Read(file)
	if err != nil {
		return err
	}
	start := len(magic) + 4 + int(Uint32(file, len(magic)/4))
	if sum := sha256.Sum256([]byte(file[start:])); hex.EncodeToString(sum[:]) != m.SHA256 {
		return fmt.Errorf("weight file: SHA-256 %x, the header says %s", sum, m.SHA256)
	}
	return nil
}

// A reader walks through a file. It panics at the end of the file.
type reader string

func (r *reader) bytes(n int) string {
	s := string((*r)[:n])
	*r = (*r)[(n+3)&^3:]
	return s
}

func (r *reader) floats(n int) []float32 {
	s, f := r.bytes(4*n), make([]float32, n)
	for i := range f {
		f[i] = Float32(s, i)
	}
	return f
}

func (r *reader) norm(n int) Norm { return Norm{r.floats(n), r.floats(n)} }

func (r *reader) linear(rows, cols int) Linear {
	l := Linear{Rows: rows, Cols: cols, Scale: r.floats(rows), Bias: r.floats(rows)}
	w := r.bytes(rows * cols)
	l.W = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(w))), len(w))
	return l
}

// Uint32 returns number i of a section.
func Uint32(section string, i int) uint32 {
	s := section[4*i : 4*i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Float32 returns number i of a section.
func Float32(section string, i int) float32 { return math.Float32frombits(Uint32(section, i)) }

// Write returns the file of a model. It sets Format, the sizes and the digest in the header.
func Write(m *Model) ([]byte, error) {
	var b writer
	b.bytes(m.Starts)
	b.bytes(m.Pieces)
	b.bytes(m.Scores)
	b.bytes(m.Embeddings)
	b.floats(m.Position)
	b.norm(m.Norm)
	for _, l := range m.Layers {
		b.linear(l.QKV)
		b.linear(l.Out)
		b.norm(l.AfterAttention)
		b.linear(l.Up)
		b.linear(l.Down)
		b.norm(l.AfterInner)
	}
	h := m.Header
	h.Format, h.Layers, h.Vocabulary = format, len(m.Layers), len(m.Starts)/4-1
	h.Hidden, h.Inner = m.Layers[0].QKV.Cols, m.Layers[0].Up.Rows
	h.Positions = len(m.Position) / h.Hidden
	sum := sha256.Sum256(b)
	h.SHA256 = hex.EncodeToString(sum[:])
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	for (len(magic)+4+len(head))%64 != 0 { // rows begin at the start of a cache line
		head = append(head, ' ')
	}
	file := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(head)))
	return append(append(file, head...), b...), nil
}

type writer []byte

func (b *writer) bytes(s string) {
	*b = append(*b, s...)
	for len(*b)%4 != 0 {
		*b = append(*b, 0)
	}
}

func (b *writer) floats(f []float32) {
	for _, v := range f {
		*b = binary.LittleEndian.AppendUint32(*b, math.Float32bits(v))
	}
}

func (b *writer) norm(n Norm) {
	b.floats(n.Scale)
	b.floats(n.Bias)
}

func (b *writer) linear(l Linear) {
	b.floats(l.Scale)
	b.floats(l.Bias)
	for _, w := range l.W {
		*b = append(*b, byte(w))
	}
	b.bytes("")
}
