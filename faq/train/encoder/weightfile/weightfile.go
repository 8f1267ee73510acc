// Package weightfile writes and verifies the weight files that package weights reads.
package weightfile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"frontdesk/faq/encoder"
)

// Verify returns an error if the digest in the header is not that of the file.
func Verify(file string) error {
	m, err := encoder.Read(file)
	if err != nil {
		return err
	}
	start := len(encoder.Magic) + 4 + int(encoder.Uint32(file, len(encoder.Magic)/4))
	if sum := sha256.Sum256([]byte(file[start:])); hex.EncodeToString(sum[:]) != m.SHA256 {
		return fmt.Errorf("weight file: SHA-256 %x, the header says %s", sum, m.SHA256)
	}
	return nil
}

// Write returns the file of a model. It sets Format, the sizes and the digest in the header.
func Write(m *encoder.Model) ([]byte, error) {
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
	h.Format, h.Layers, h.Vocabulary = encoder.Format, len(m.Layers), len(m.Starts)/4-1
	h.Hidden, h.Inner = m.Layers[0].QKV.Cols, m.Layers[0].Up.Rows
	h.Positions = len(m.Position) / h.Hidden
	sum := sha256.Sum256(b)
	h.SHA256 = hex.EncodeToString(sum[:])
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	for (len(encoder.Magic)+4+len(head))%64 != 0 { // rows begin at the start of a cache line
		head = append(head, ' ')
	}
	file := binary.LittleEndian.AppendUint32([]byte(encoder.Magic), uint32(len(head)))
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

func (b *writer) norm(n encoder.Norm) {
	b.floats(n.Scale)
	b.floats(n.Bias)
}

func (b *writer) linear(l encoder.Linear) {
	b.floats(l.Scale)
	b.floats(l.Bias)
	for _, w := range l.W {
		*b = append(*b, byte(w))
	}
	b.bytes("")
}
