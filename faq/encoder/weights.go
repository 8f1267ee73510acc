package encoder

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// A file of weights, all numbers little-endian, every section padded to four bytes:
//
//	"FDE1", the length of the header (uint32), the header (JSON, padded with spaces)
//	vocabulary: where each piece starts (uint32, one more than pieces), the pieces in byte order, and
//	  their scores (float32)
//	embeddings: the blocks of each piece (see Widen)
//	positions (float32), scale and bias of the first normalisation (float32)
//	each layer: query, key and value as one matrix, output, normalisation, up, down, normalisation
//
// A matrix is a float32 scale for each row, a float32 bias for each row, and its int8 rows.
//
// Magic begins a file, and Format is the version of what follows.
const (
	Magic  = "FDE1"
	Format = 1
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

// Read opens a file. It checks the sizes of the sections, not the digest.
func Read(file string) (m *Model, err error) {
	if !strings.HasPrefix(file, Magic) {
		return nil, fmt.Errorf("not a weight file: it does not begin with %s", Magic)
	}
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("weight file too short or broken: %v", p)
		}
	}()
	r := reader(file[len(Magic):])
	m = new(Model)
	if err := json.Unmarshal([]byte(r.bytes(int(Uint32(r.bytes(4), 0)))), &m.Header); err != nil {
		return nil, fmt.Errorf("header of the weight file: %w", err)
	}
	if m.Format != Format {
		return nil, fmt.Errorf("weight file of format %d, want %d", m.Format, Format)
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
	return binary.LittleEndian.Uint32([]byte(section[4*i:][:4]))
}

// Float32 returns number i of a section.
func Float32(section string, i int) float32 { return math.Float32frombits(Uint32(section, i)) }

// A block is 32 numbers in 4 bits: a float16 scale and 16 bytes, whose low halves are the first 16 numbers
// divided by the scale, plus 8, and whose high halves are the others. GGML calls it Q4_0.
const (
	BlockNumbers = 32
	BlockSize    = 18 // bytes
)

// Widen writes the numbers of blocks to dst.
func Widen(dst []float32, blocks string) {
	for ; len(blocks) >= BlockSize; blocks = blocks[BlockSize:] {
		scale := fromHalf(binary.LittleEndian.Uint16([]byte(blocks[:2])))
		low, high := dst[:16], dst[16:BlockNumbers]
		for i := range low {
			b := blocks[2+i]
			low[i] = float32(int(b&15)-8) * scale
			high[i] = float32(int(b>>4)-8) * scale
		}
		dst = dst[BlockNumbers:]
	}
}

// fromHalf widens a float16.
func fromHalf(h uint16) float32 {
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7fff)
	if rest < 0x400 { // zero or subnormal
		return math.Float32frombits(sign | math.Float32bits(float32(rest)/(1<<24)))
	}
	return math.Float32frombits(sign | (rest<<13 + 112<<23))
}
