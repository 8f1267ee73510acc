package semantic

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"frontdesk/faq/encoder"
)

// Hold reads the files and keeps their vectors in memory until release is called. A nil embedder has none.
func (r *Embedder) Hold() (release func()) {
	if r == nil {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holders++
	if r.texts == nil {
		r.texts, r.shipped = r.read(r.files.Kept), r.read(r.files.Shipped)
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.holders--; r.holders == 0 && r.files.Kept != "" && !r.changed {
			r.texts, r.shipped = nil, nil
		}
	}
}

// get returns the vectors of a text, or nil if they are unknown or not held.
func (r *Embedder) get(text encoder.Text) *encoded {
	key := r.keyOf(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.texts[key], r.shipped[key])
}

// put adds what texts mean, and now and then writes the file.
func (r *Embedder) put(texts []encoder.Text, means []*encoded) {
	r.mu.Lock()
	for i, t := range texts {
		r.texts[r.keyOf(t)] = means[i]
	}
	r.changed = true
	due := time.Since(r.saved) >= saveEvery
	r.mu.Unlock()
	if due {
		r.write()
	}
}

// saveEvery bounds the work that is lost if the process is killed.
const saveEvery = 3 * time.Second

// The texts of a batch are encoded together, because the weights are then read from memory only once. That saves a
// quarter of the time. A larger batch saves no more, and a stop waits until a batch is done.
const (
	batchTexts = 8
	batchBytes = 512 // of its texts together
)

// batch returns the first texts, as many as are encoded together.
func batch(texts []encoder.Text) []encoder.Text {
	size := 0
	for i, t := range texts {
		if size += len(t.Text); i == batchTexts || i > 0 && size > batchBytes {
			return texts[:i]
		}
	}
	return texts
}

// encodeAll makes the meaning of texts known, until ctx ends, and writes the file. done is called with the number of
// those that were known, and after each batch with its size.
func (r *Embedder) encodeAll(ctx context.Context, texts []encoder.Text, done func(int)) error {
	seen := map[encoder.Text]bool{}
	var missing []encoder.Text
	for _, t := range texts {
		if !seen[t] && r.get(t) == nil {
			missing = append(missing, t)
		}
		seen[t] = true
	}
	done(len(texts) - len(missing))
	queue := make(chan []encoder.Text, len(missing))
	for rest := missing; len(rest) > 0; {
		next := batch(rest)
		queue <- next
		rest = rest[len(next):]
	}
	close(queue)
	var group sync.WaitGroup
	for number := range min(r.workers(), len(missing)) {
		group.Go(func() {
			for ctx.Err() == nil && number < r.workers() {
				texts, ok := <-queue
				if !ok {
					return
				}
				r.put(texts, r.encode(texts...))
				done(len(texts))
			}
		})
	}
	group.Wait()
	r.write()
	return ctx.Err()
}

// read reads a file. One that is missing, damaged or made by another encoder is as good as an empty one.
func (r *Embedder) read(path string) map[textKey]*encoded {
	var texts map[textKey]*encoded
	data, err := os.ReadFile(path) // the empty path does not exist
	if err == nil {
		texts, err = decode(data, r.Encoder)
	}
	if err == nil {
		return texts
	}
	if !errors.Is(err, fs.ErrNotExist) {
		r.report(fmt.Errorf("%s is ignored: %w", path, err))
	}
	return map[textKey]*encoded{}
}

// keep forgets every text but the sources, and what is shipped too, unless others hold the vectors. It writes the file.
func (r *Embedder) keep(sources []encoder.Text) {
	keys := make(map[textKey]bool, len(sources))
	for _, t := range sources {
		keys[r.keyOf(t)] = true
	}
	r.mu.Lock()
	if before := len(r.texts); r.holders == 1 {
		maps.DeleteFunc(r.texts, func(key textKey, _ *encoded) bool { return !keys[key] || r.shipped[key] != nil })
		r.changed = r.changed || len(r.texts) < before
	}
	r.mu.Unlock()
	r.write()
}

// write writes the file if it would change.
func (r *Embedder) write() {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.mu.Lock()
	texts, changed := maps.Clone(r.texts), r.changed
	r.changed, r.saved = false, time.Now()
	r.mu.Unlock()
	if r.files.Kept == "" || r.files.Foreign || !changed {
		return
	}
	err := replaceFile(r.files.Kept, r.Encoder, texts)
	if err != nil && !r.failing {
		r.report(fmt.Errorf("what the entries mean is not kept, so the next start will take longer: %w", err))
	}
	r.failing = err != nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = r.changed || r.failing
}

// The form of the file: the magic and the id of the encoder, a line each; of each text its key, the numbers of its
// vector, how many pieces it has, and of each piece the id, the scale and the rounded numbers; and the SHA-256 of all
// that.
const (
	storeMagic = "frontdesk meaning 2\n"
	vectorSize = 384
	textSize   = sha256.Size + 4*vectorSize + 4 // without its pieces
	pieceSize  = 4 + 4 + vectorSize
)

// Why a file is not used.
var (
	errDamaged = errors.New("it is damaged")
	errForeign = errors.New("it was made by another version of the encoder")
)

func header(e Encoder) string { return storeMagic + e.ID() + "\n" }

// decode reads a file that was written for the encoder.
func decode(data []byte, e Encoder) (map[textKey]*encoded, error) {
	body := len(data) - sha256.Size
	if body < 0 || sha256.Sum256(data[:body]) != [sha256.Size]byte(data[body:]) {
		return nil, errDamaged
	}
	rest, ok := bytes.CutPrefix(data[:body], []byte(header(e)))
	if !ok {
		return nil, errForeign
	}
	texts := map[textKey]*encoded{}
	for len(rest) >= textSize {
		t := &encoded{whole: make(encoder.Vector, vectorSize)}
		texts[textKey(rest)] = t
		_, _ = binary.Decode(rest[sha256.Size:textSize], binary.LittleEndian, []float32(t.whole)) // there are enough bytes
		count := int(binary.LittleEndian.Uint32(rest[textSize-4:]))
		if rest = rest[textSize:]; count > len(rest)/pieceSize {
			return nil, errDamaged
		}
		t.pieces = make([]token, count)
		for i := range t.pieces {
			p := &t.pieces[i]
			p.id, p.row.Values = int(binary.LittleEndian.Uint32(rest)), make([]int8, vectorSize)
			p.row.Scale = math.Float32frombits(binary.LittleEndian.Uint32(rest[4:]))
			_, _ = binary.Decode(rest[8:pieceSize], binary.LittleEndian, p.row.Values)
			if rest = rest[pieceSize:]; p.id < 0 || p.id >= e.Tokens() {
				return nil, errDamaged
			}
		}
	}
	if len(rest) > 0 {
		return nil, errDamaged
	}
	return texts, nil
}

// writeTexts writes what decode reads, text by text: all of them are large.
func writeTexts(w io.Writer, e Encoder, texts map[textKey]*encoded) error {
	digest := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, digest), 64<<10) // keeps an error until it is flushed
	_, _ = out.WriteString(header(e))
	var buffer []byte
	for _, key := range slices.SortedFunc(maps.Keys(texts), func(a, b textKey) int { return bytes.Compare(a[:], b[:]) }) {
		t := texts[key]
		buffer, _ = binary.Append(append(buffer[:0], key[:]...), binary.LittleEndian, []float32(t.whole))
		buffer = binary.LittleEndian.AppendUint32(buffer, uint32(len(t.pieces)))
		for _, p := range t.pieces {
			buffer = binary.LittleEndian.AppendUint32(buffer, uint32(p.id))
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(p.row.Scale))
			buffer, _ = binary.Append(buffer, binary.LittleEndian, p.row.Values)
		}
		_, _ = out.Write(buffer)
	}
	err := out.Flush()
	if err == nil {
		_, err = w.Write(digest.Sum(nil))
	}
	return err
}

// replaceFile writes texts to a file at once or not at all, readable for all: it holds nothing but the content. It is
// not synced: a lost file is only made again.
func replaceFile(path string, e Encoder, texts map[textKey]*encoded) error {
	// Always the same name: a process that is killed again and again leaves one.
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new")
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(writeTexts(file, e, texts), file.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil { // the disk may be full
		_ = os.Remove(temporary)
	}
	return err
}
