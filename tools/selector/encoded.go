package main

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"frontdesk/faq/encoder"
	"frontdesk/faq/meaning"
	"frontdesk/tools/encoder/weightfile"
)

// cachedEncoder remembers on disk what texts were encoded to: fitting asks for the same texts again and again.
type cachedEncoder struct {
	meaning.Encoder
	mu    sync.Mutex
	known map[encoder.Text]cachedText
	file  *os.File
	out   *bufio.Writer
	gob   *gob.Encoder
}

// cachedText holds vectors as int16: Whole at first, then the pieces.
type cachedText struct {
	IDs    []int32
	Scales []float32
	Values []int16
}

type cacheRecord struct {
	Key  encoder.Text
	Text cachedText
}

// encoderFlags choose the encoder.
type encoderFlags struct {
	Weights string `help:"Weight file of the encoder, in place of the embedded one."`
	Vectors string `help:"Where to keep the vectors of texts between runs: the beginning of the name of one file for each encoder."`
}

// open returns the encoder with its cache.
func (f encoderFlags) open() (*cachedEncoder, error) {
	e, err := encoder.Multilingual()
	if f.Weights != "" {
		e, err = openWeights(f.Weights)
	}
	if err != nil {
		return nil, err
	}
	return newCachedEncoder(e, f.Vectors)
}

func openWeights(name string) (*encoder.Encoder, error) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = weightfile.Verify(string(data)) // the cache goes by the digest in the header
	}
	if err != nil {
		return nil, err
	}
	return encoder.Open(string(data))
}

// foldEncoder encodes each text of a fold with the encoder that was not tuned on it, and any other text with the main
// encoder.
type foldEncoder struct {
	*cachedEncoder
	folds []*cachedEncoder
	fold  map[string]int // by text
}

// openFolds returns an encoder for the folds that a file of tools/encoder/train lists, or only the main one if there is
// no file.
func (f encoderFlags) openFolds(name string) (*foldEncoder, error) {
	main, err := f.open()
	e := &foldEncoder{cachedEncoder: main}
	if err != nil || name == "" {
		return e, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var folds struct {
		Files []string       // beside the file
		Texts map[string]int // the fold of each text
	}
	if err := json.Unmarshal(data, &folds); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, file := range folds.Files {
		f.Weights = filepath.Join(filepath.Dir(name), file)
		held, err := f.open()
		if err != nil {
			return nil, err
		}
		e.folds = append(e.folds, held)
	}
	for text, fold := range folds.Texts {
		if fold < 0 || fold >= len(e.folds) {
			return nil, fmt.Errorf("%s: %q is of fold %d, and there are %d", name, text, fold, len(e.folds))
		}
	}
	e.fold = folds.Texts
	return e, nil
}

func (e *foldEncoder) Encode(texts ...encoder.Text) (out []encoder.Encoded) {
	for _, t := range texts {
		of := e.cachedEncoder
		if fold, ok := e.fold[t.Text]; ok {
			of = e.folds[fold]
		}
		out = append(out, of.encode(t))
	}
	return out
}

// flush makes what was encoded so far the caches.
func (e *foldEncoder) flush() error {
	err := e.cachedEncoder.flush()
	for _, held := range e.folds {
		err = errors.Join(err, held.flush())
	}
	return err
}

// newCachedEncoder returns an encoder with a cache in a file whose name ends with the encoder's ID.
func newCachedEncoder(e *encoder.Encoder, path string) (*cachedEncoder, error) {
	c := &cachedEncoder{Encoder: e, known: map[encoder.Text]cachedText{}}
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
	var err error
	if c.file, err = os.Create(path + ".new"); err != nil {
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

func (c *cachedEncoder) Encode(texts ...encoder.Text) (out []encoder.Encoded) {
	for _, t := range texts {
		out = append(out, c.encode(t))
	}
	return out
}

func (c *cachedEncoder) encode(key encoder.Text) encoder.Encoded {
	c.mu.Lock()
	known, ok := c.known[key]
	c.mu.Unlock()
	if !ok {
		text := c.Encoder.Encode(key)[0]
		known.add(0, text.Whole)
		for _, p := range text.Pieces {
			known.add(p.ID, p.Vector)
		}
		c.mu.Lock()
		c.known[key] = known
		if c.gob != nil {
			c.gob.Encode(cacheRecord{key, known}) // an error shows at flush
		}
		c.mu.Unlock()
	}
	return encoder.Encoded{Whole: known.vector(0), Pieces: known.pieces()}
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
