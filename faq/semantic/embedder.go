package semantic

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"frontdesk/faq/encoder"
	"frontdesk/internal/limits"
	"frontdesk/internal/span"
)

// Encoder turns texts and their pieces into vectors of length 1, which the caller may change. *encoder.Encoder
// implements it and documents the methods.
type Encoder interface {
	Encode(texts ...encoder.Text) []encoder.Encoded
	Coverage(text string) float64
	Token(id int) (text string, information float64)
	Tokens() int
	ID() string
}

// Embedder encodes texts. One Embedder serves every version of the content of a process: it limits how many
// questions are encoded at once, remembers the last of them, and keeps the vectors of entries on disk (store.go). It is
// safe for concurrent use.
type Embedder struct {
	Encoder
	parameters *Parameters
	centres    string // digest of the centres
	files      Files
	report     func(error)

	mu      sync.Mutex
	holders int
	texts   map[textKey]*encoded // saved ones stay in memory only while there are holders
	shipped map[textKey]*encoded // of the file that is only read
	changed bool                 // texts differ from the file
	saved   time.Time            // when they were last written

	writing sync.Mutex
	failing bool // the last write failed, and was reported

	queue       *queue
	questions   *lru.Cache[string, *encoded] // by their canonical text
	serving     atomic.Bool
	done, total atomic.Int64 // texts of the content that is being prepared
	encoded     atomic.Uint64
	refused     atomic.Uint64
}

// MaxWait is how long a caller's question should wait for a free processor, all its parts together, before it gets only
// candidates.
const MaxWait = time.Second

// Bounds of the questions that an embedder remembers, and of their pieces: about 2 MiB, because most questions have a
// dozen pieces.
const (
	maxQuestions = 256
	mostPieces   = 32
)

// Files are where vectors of texts are kept. Either may be empty.
type Files struct {
	Kept    string // read and written
	Shipped string // read only: it was made in advance and comes with the content
	Foreign bool   // Kept belongs to a running service, and is only read
}

// NewEmbedder returns an embedder that uses an encoder, such as encoder.Multilingual, for which the parameters were
// fitted, such as Shipped. It keeps the vectors of entries in files. A file that cannot be read or written is passed
// to report and otherwise ignored.
func NewEmbedder(e Encoder, p *Parameters, files Files, report func(error)) *Embedder {
	questions, _ := lru.New[string, *encoded](maxQuestions) // its only error is a size below 1
	return &Embedder{
		Encoder: e, parameters: p, centres: p.Centres.digest(), files: files, report: report,
		queue: newQueue(runtime.GOMAXPROCS(0)), questions: questions,
	}
}

// Counts returns how many questions were encoded, and how many got only candidates because no processor was
// free in time. Both are 0 for a nil embedder.
func (r *Embedder) Counts() (encoded, refused uint64) {
	if r == nil {
		return 0, 0
	}
	return r.encoded.Load(), r.refused.Load()
}

// Progress returns how many texts of the content that was prepared last are encoded, and how many there are.
// A nil embedder has none.
func (r *Embedder) Progress() (done, total int) {
	if r == nil {
		return 0, 0
	}
	return int(r.done.Load()), int(r.total.Load())
}

// Serve leaves half of the processors to questions from now on. A nil embedder has none.
func (r *Embedder) Serve() {
	if r != nil {
		r.serving.Store(true)
	}
}

// reads reports whether the encoder can read a text: other scripts are left to words.
func (r *Embedder) reads(text string) bool { return r.Coverage(text) >= leastReadable }

// leastReadable is the share of a text that the encoder must be able to read.
const leastReadable = 0.7

// Canonical returns question as the encoder reads it: with a capital first letter and a punctuation mark at the end,
// so that it does not matter whether the customer typed them. Other letters keep their case, because capitals mark
// nouns in German. Several words in all capitals are lower-cased, because their case means nothing.
func Canonical(question string) string {
	q := strings.TrimSpace(question)
	if q == "" {
		return q
	}
	if strings.ContainsRune(q, ' ') && q == strings.ToUpper(q) {
		q = strings.ToLower(q)
	}
	opening := q[:len(q)-len(strings.TrimLeftFunc(q, unicode.IsPunct))] // ¿
	if first, size := utf8.DecodeRuneInString(q[len(opening):]); size > 0 {
		q = opening + string(unicode.ToTitle(first)) + q[len(opening)+size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(q); unicode.IsPunct(last) {
		return q
	}
	return q + "?"
}

// question encodes a question. It waits for a free processor as long as ctx allows, and fails with ErrBusy.
func (r *Embedder) question(ctx context.Context, text string) (*encoded, error) {
	if known := r.get(encoder.Text{Kind: encoder.Query, Text: text}); known != nil { // it is a wording
		return known, nil
	}
	asked := encoder.Text{Kind: encoder.Query, Text: Canonical(text)}
	if known, ok := r.questions.Get(asked.Text); ok {
		return known, nil
	}
	if known := r.get(asked); known != nil {
		return known, nil
	}
	defer span.Since(ctx, span.Encoder, time.Now())
	if err := r.queue.enter(ctx, limits.ClientFrom(ctx).Network()); err != nil {
		r.refused.Add(1)
		span.SkipEncoder(ctx)
		return nil, err
	}
	defer r.queue.leave()
	q := r.encode(asked)[0]
	r.encoded.Add(1)
	if len(q.pieces) <= mostPieces {
		r.questions.Add(asked.Text, q)
	}
	return q, nil
}
