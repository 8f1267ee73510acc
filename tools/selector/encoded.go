package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"sync"

	"frontdesk/faq/encoder"
	"frontdesk/faq/meaning"
)

// cachedEncoder remembers on disk what texts were encoded to: fitting asks for the same texts again and again.
type cachedEncoder struct {
	meaning.Encoder
	mu    sync.Mutex
	known map[cacheKey]cachedText
	file  *os.File
	out   *bufio.Writer
	gob   *gob.Encoder
}

type cacheKey struct {
	Kind encoder.Kind
	Text string
}

// cachedText holds vectors as int16: Whole at first, then the pieces.
type cachedText struct {
	IDs    []int32
	Scales []float32
	Values []int16
}

type cacheRecord struct {
	Key  cacheKey
	Text cachedText
}

// newCachedEncoder returns the embedded encoder with a cache in a file.
func newCachedEncoder(path string) (*cachedEncoder, error) {
	e, err := encoder.Multilingual()
	if err != nil {
		return nil, err
	}
	c := &cachedEncoder{Encoder: e, known: map[cacheKey]cachedText{}}
	if path == "" {
		return c, nil
	}
	path += "-" + e.ID()
	// A gob stream cannot be appended to: the cache is written anew when it has grown.
	if file, err := os.Open(path); err == nil {
		decoder := gob.NewDecoder(bufio.NewReaderSize(file, 1<<20))
		for {
			var r cacheRecord
			if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				break // the rest is encoded again
			}
			c.known[r.Key] = r.Text
		}
		file.Close()
	}
	c.file, err = os.Create(path + ".new")
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewWriterSize(c.file, 1<<20)
	c.gob = gob.NewEncoder(c.out)
	for key, text := range c.known {
		if err := c.gob.Encode(cacheRecord{key, text}); err != nil {
			return nil, err
		}
	}
	return c, c.flush()
}

// flush makes what was encoded so far the cache.
func (c *cachedEncoder) flush() error {
	if c.file == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.out.Flush(); err != nil {
		return err
	}
	name := c.file.Name()
	if _, err := os.Stat(name); err != nil {
		return nil // it has its name already
	}
	return os.Rename(name, name[:len(name)-len(".new")])
}

func (c *cachedEncoder) EncodePieces(kind encoder.Kind, text string) (encoder.Vector, []encoder.Piece) {
	key := cacheKey{kind, text}
	c.mu.Lock()
	known, ok := c.known[key]
	c.mu.Unlock()
	if !ok {
		whole, pieces := c.Encoder.EncodePieces(kind, text)
		known.add(0, whole)
		for _, p := range pieces {
			known.add(p.ID, p.Vector)
		}
		c.mu.Lock()
		c.known[key] = known
		if c.gob != nil {
			c.gob.Encode(cacheRecord{key, known}) // an error shows at flush
		}
		c.mu.Unlock()
	}
	return known.vector(0), known.pieces()
}

func (t *cachedText) add(id int, v encoder.Vector) {
	var top float32
	for _, f := range v {
		top = max(top, f, -f)
	}
	t.IDs = append(t.IDs, int32(id))
	t.Scales = append(t.Scales, top/32767)
	for _, f := range v {
		t.Values = append(t.Values, int16(f/top*32767))
	}
}

func (t *cachedText) vector(i int) encoder.Vector {
	size := len(t.Values) / len(t.IDs)
	v := make(encoder.Vector, size)
	for j, value := range t.Values[i*size:][:size] {
		v[j] = float32(value) * t.Scales[i]
	}
	return v
}

func (t *cachedText) pieces() []encoder.Piece {
	pieces := make([]encoder.Piece, 0, len(t.IDs)-1)
	for i := 1; i < len(t.IDs); i++ {
		pieces = append(pieces, encoder.Piece{ID: int(t.IDs[i]), Vector: t.vector(i)})
	}
	return pieces
}
