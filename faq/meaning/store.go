package meaning

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"frontdesk/faq/encoder"
)

// storeFile is the file in the data folder that keeps what the texts of entries mean. It can be deleted: the next
// start makes it again.
const storeFile = "meaning.cache"

// textKey identifies a text as one encoder reads it.
type textKey [sha256.Size]byte

func (c *Centres) keyOf(e Encoder, t source) textKey {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", e.ID(), c.id(), t.kind, t.text))
}

// store keeps what the texts of entries mean, so that a start and a reload encode only what changed.
type store struct {
	mu     sync.Mutex
	path   string // empty: nothing is written
	report func(error)
	texts  map[textKey]*encoded
	opened bool
}

func newStore(dir string, report func(error)) *store {
	s := &store{report: report, texts: map[textKey]*encoded{}}
	if dir != "" {
		s.path = filepath.Join(dir, storeFile)
	}
	return s
}

// source is a text that has to be encoded.
type source struct {
	kind encoder.Kind
	text string
}

// encoded is what a text means: the whole of it, and each of its pieces. All vectors are centred.
type encoded struct {
	whole  encoder.Vector
	pieces []piece
}

// piece is a word of a text or a part of one.
type piece struct {
	id  int32
	row encoder.Row
}

// encode returns what texts mean, in their order. What is not known yet is encoded on all processors.
func (s *store) encode(e Encoder, c *Centres, sources []source) ([]*encoded, []textKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open(e.Tokens())
	texts, keys := make([]*encoded, len(sources)), make([]textKey, len(sources))
	missing := make(chan int, len(sources))
	for i, t := range sources {
		keys[i] = c.keyOf(e, t)
		if texts[i] = s.texts[keys[i]]; texts[i] == nil {
			missing <- i
		}
	}
	close(missing)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(missing)) {
		group.Go(func() {
			for i := range missing {
				texts[i] = c.encode(e, sources[i])
			}
		})
	}
	group.Wait()
	for i, key := range keys {
		s.texts[key] = texts[i]
	}
	return texts, keys
}

// open reads the file once, with the number of tokens that the encoder knows. A file that is missing or damaged is as good as an empty one.
func (s *store) open(tokens int) {
	if s.opened || s.path == "" {
		return
	}
	s.opened = true
	data, err := readRegular(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = s.decode(data, tokens)
	}
	if err != nil {
		s.report(fmt.Errorf("%s is ignored and will be written again: %w", s.path, err))
	}
}

// keep forgets every text but those of the keys and writes the file if it would change.
func (s *store) keep(inUse []textKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		return
	}
	kept := make(map[textKey]*encoded, len(inUse))
	for _, key := range inUse {
		if t, ok := s.texts[key]; ok {
			kept[key] = t
		}
	}
	s.texts = kept
	data := s.appendEncoded(nil)
	if old, err := readRegular(s.path); err == nil && bytes.Equal(old, data) {
		return
	}
	if err := replaceFile(s.path, data); err != nil {
		s.report(fmt.Errorf("what the entries mean is not kept, so the next start will take longer: %w", err))
	}
}

// The form of the file: the magic; of each text its key, the numbers of its vector, how many pieces it has, and
// of each piece the id, the scale and the rounded numbers; and the SHA-256 of all that.
const (
	storeMagic = "frontdesk meaning 1\n"
	vectorSize = 384
	textSize   = sha256.Size + 4*vectorSize + 4
	pieceSize  = 4 + 4 + vectorSize
)

var errDamaged = errors.New("it is damaged")

// readRegular reads a regular file; of another kind, a read might never end.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errDamaged
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func (s *store) decode(data []byte, tokens int) error {
	body := len(data) - sha256.Size
	if body < len(storeMagic) || string(data[:len(storeMagic)]) != storeMagic {
		return errDamaged
	}
	if sum := sha256.Sum256(data[:body]); !bytes.Equal(sum[:], data[body:]) {
		return errDamaged
	}
	texts := map[textKey]*encoded{}
	for rest := data[len(storeMagic):body]; len(rest) > 0; {
		if len(rest) < textSize {
			return errDamaged
		}
		key := textKey(rest[:sha256.Size])
		t := &encoded{whole: make(encoder.Vector, vectorSize)}
		for i := range t.whole {
			t.whole[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[sha256.Size+4*i:]))
		}
		count := int(binary.LittleEndian.Uint32(rest[textSize-4:]))
		rest = rest[textSize:]
		if count > len(rest)/pieceSize {
			return errDamaged
		}
		for range count {
			p := piece{id: int32(binary.LittleEndian.Uint32(rest))}
			if p.id < 0 || int(p.id) >= tokens {
				return errDamaged
			}
			p.row.Scale = math.Float32frombits(binary.LittleEndian.Uint32(rest[4:]))
			p.row.Values = make([]int8, vectorSize)
			for i, b := range rest[8:pieceSize] {
				p.row.Values[i] = int8(b)
			}
			t.pieces = append(t.pieces, p)
			rest = rest[pieceSize:]
		}
		texts[key] = t
	}
	s.texts = texts
	return nil
}

func (s *store) appendEncoded(data []byte) []byte {
	data = append(data, storeMagic...)
	keys := slices.SortedFunc(maps.Keys(s.texts), func(a, b textKey) int { return bytes.Compare(a[:], b[:]) })
	for _, key := range keys {
		t := s.texts[key]
		data = append(data, key[:]...)
		for _, f := range t.whole {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
		}
		data = binary.LittleEndian.AppendUint32(data, uint32(len(t.pieces)))
		for _, p := range t.pieces {
			data = binary.LittleEndian.AppendUint32(data, uint32(p.id))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(p.row.Scale))
			for _, v := range p.row.Values {
				data = append(data, byte(v))
			}
		}
	}
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// replaceFile writes a file at once or not at all. It is not synced: a lost file is only made again.
func replaceFile(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), storeFile+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}
