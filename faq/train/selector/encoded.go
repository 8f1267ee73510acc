package main

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"frontdesk/faq/encoder"
	"frontdesk/faq/semantic"
	"frontdesk/faq/train/encoder/weightfile"
)

// cachedEncoder remembers on disk what texts were encoded to: fitting asks for the same texts again and again.
type cachedEncoder struct {
	semantic.Encoder
	path  string // of the cache; empty for none
	mu    sync.Mutex
	known map[encoder.Text]cachedText
	saved int // how many of them the file has
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

// foldFlags choose the encoders of texts that the main one was tuned on.
type foldFlags struct {
	encoderFlags
	Folds string `help:"File that lists the encoders that were not tuned on some texts (folds.json of faq/train/encoder/train), which encode these."`
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

// openFolds returns an encoder for the folds that a file of faq/train/encoder/train lists, or only the main one if
// there is no file.
func (f foldFlags) openFolds() (*foldEncoder, error) {
	main, err := f.open()
	e := &foldEncoder{cachedEncoder: main}
	if err != nil || f.Folds == "" {
		return e, err
	}
	data, err := os.ReadFile(f.Folds)
	if err != nil {
		return nil, err
	}
	var folds struct {
		Files []string       // beside the file
		Texts map[string]int // the fold of each text
	}
	if err := json.Unmarshal(data, &folds); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Folds, err)
	}
	for _, file := range folds.Files {
		f.Weights = filepath.Join(filepath.Dir(f.Folds), file)
		held, err := f.open()
		if err != nil {
			return nil, err
		}
		e.folds = append(e.folds, held)
	}
	for text, fold := range folds.Texts {
		if fold < 0 || fold >= len(e.folds) {
			return nil, fmt.Errorf("%s: %q is of fold %d, and there are %d", f.Folds, text, fold, len(e.folds))
		}
	}
	e.fold = map[string]int{}
	for text, fold := range folds.Texts {
		e.fold[text], e.fold[semantic.Canonical(text)] = fold, fold // as wording and as question
	}
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
	c.path = path + "-" + e.ID()
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for decoder := gob.NewDecoder(bufio.NewReaderSize(file, 1<<20)); ; {
		var r cacheRecord
		if decoder.Decode(&r) != nil { // at the end; what is damaged is encoded again
			break
		}
		c.known[r.Key] = r.Text
	}
	c.saved = len(c.known)
	return c, nil
}

// flush writes what was encoded so far into the cache.
func (c *cachedEncoder) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path == "" || c.saved == len(c.known) {
		return nil
	}
	file, err := os.Create(c.path + ".new")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	records := gob.NewEncoder(out)
	for key, text := range c.known {
		err = errors.Join(err, records.Encode(cacheRecord{key, text}))
	}
	if err = errors.Join(err, out.Flush(), file.Close()); err != nil {
		return err
	}
	c.saved = len(c.known)
	return os.Rename(file.Name(), c.path)
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
