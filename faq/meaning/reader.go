package meaning

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/faq/encoder"
	"frontdesk/internal/span"
)

// Encoder turns a text and its pieces into vectors of length 1. An *encoder.Encoder is one.
type Encoder interface {
	EncodePieces(kind encoder.Kind, text string) (encoder.Vector, []encoder.Piece)
	// Coverage is the share of a text that the encoder can read.
	Coverage(text string) float64
	// Token returns the text of a token, in which ▁ is a space, and how much it says.
	Token(id int) (text string, information float64)
	// Tokens is how many tokens there are; their ids begin at 0.
	Tokens() int
	// ID names the model and its arithmetic: equal ids compute equal vectors.
	ID() string
}

// Reader encodes texts. One Reader serves every version of the content of a process: it limits how many
// questions are encoded at once, remembers the last of them, and keeps the vectors of entries on disk. It is
// safe for concurrent use.
type Reader struct {
	encoder   Encoder
	slots     chan struct{}
	questions questionCache
	store     *store
	encoded   atomic.Uint64
	refused   atomic.Uint64
}

// maxWait is how long a caller's question waits for a free processor before it gets only candidates.
const maxWait = 100 * time.Millisecond

// ErrBusy is returned when no processor became free in time.
var ErrBusy = errors.New("meaning: every encoder is busy")

// NewReader returns a reader that keeps the vectors of entries in dir, or only in memory if dir is empty. A
// file that cannot be read or written is passed to report and otherwise ignored.
func NewReader(dir string, report func(error)) (*Reader, error) {
	model, err := encoder.Multilingual()
	if err != nil {
		return nil, err
	}
	return newReader(model, dir, report), nil
}

func newReader(e Encoder, dir string, report func(error)) *Reader {
	return &Reader{encoder: e, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), store: newStore(dir, report)}
}

// Counts returns how many questions were encoded, and how many were left to words because no processor was
// free in time.
func (r *Reader) Counts() (encoded, refused uint64) { return r.encoded.Load(), r.refused.Load() }

// reads reports whether the encoder can read a text: other scripts are left to words.
func (r *Reader) reads(text string) bool { return r.encoder.Coverage(text) >= leastReadable }

// leastReadable is the share of a text that the encoder must be able to read.
const leastReadable = 0.7

// questionMeaning is a question as the encoder reads it, before it is centred.
type questionMeaning struct {
	whole  encoder.Vector
	pieces []encoder.Piece
}

// question encodes a question. It waits for a free processor as long as ctx allows, and fails with ErrBusy.
func (r *Reader) question(ctx context.Context, text string) (*questionMeaning, error) {
	if known, ok := r.questions.get(text); ok {
		return known, nil
	}
	defer span.Since(ctx, span.Encoder, time.Now())
	select {
	case r.slots <- struct{}{}:
	default:
		if ctx.Value(briefly{}) != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, maxWait)
			defer cancel()
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			r.refused.Add(1)
			return nil, ErrBusy
		}
	}
	defer func() { <-r.slots }()
	q := new(questionMeaning)
	q.whole, q.pieces = r.encoder.EncodePieces(encoder.Query, text)
	r.encoded.Add(1)
	r.questions.put(text, q)
	return q, nil
}

// Brief returns a context for a caller who waits for a free processor only so long that a crowd of questions
// cannot hold up the answers. The time runs from when the wait begins: most questions never wait.
func Brief(ctx context.Context) context.Context { return context.WithValue(ctx, briefly{}, true) }

type briefly struct{}

// maxVectors is how many vectors of questions a reader remembers, 10 MiB of them: of some 500 questions of a dozen
// pieces, or of 50 as long as they can be.
const maxVectors = 10 << 20 / (4 * vectorSize)

// questionCache remembers the last questions. The oldest go first.
type questionCache struct {
	mu      sync.Mutex
	known   map[string]*questionMeaning
	order   []string // of the questions, the oldest first
	vectors int
}

func (c *questionCache) get(text string) (*questionMeaning, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	q, ok := c.known[text]
	return q, ok
}

func (c *questionCache) put(text string, q *questionMeaning) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, again := c.known[text]; again {
		return
	}
	if c.known == nil {
		c.known = map[string]*questionMeaning{}
	}
	c.known[text], c.order, c.vectors = q, append(c.order, text), c.vectors+q.vectors()
	for c.vectors > maxVectors {
		c.vectors -= c.known[c.order[0]].vectors()
		delete(c.known, c.order[0])
		c.order = c.order[1:]
	}
}

// vectors is how many vectors a question holds.
func (q *questionMeaning) vectors() int { return 1 + len(q.pieces) }
