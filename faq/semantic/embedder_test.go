package semantic

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
	"frontdesk/internal/expect"
	"frontdesk/internal/span"
)

// wordEncoder makes texts similar by the words they share. It waits for hold if that is set.
type wordEncoder struct {
	encoded atomic.Int32
	hold    chan struct{}
}

func (e *wordEncoder) ID() string { return "words" }

func (e *wordEncoder) Coverage(text string) float64 {
	if strings.ContainsAny(text, "料金") {
		return 0
	}
	return 1
}

func (e *wordEncoder) Tokens() int { return 100_000 }

func (e *wordEncoder) Token(int) (string, float64) { return encoder.Space + "word", 12 }

func (e *wordEncoder) Encode(texts ...encoder.Text) (out []encoder.Encoded) {
	for _, t := range texts {
		out = append(out, e.encode(t.Text))
	}
	return out
}

func (e *wordEncoder) encode(text string) encoder.Encoded {
	e.encoded.Add(1)
	if e.hold != nil {
		<-e.hold
	}
	sum := make(encoder.Vector, vectorSize)
	var pieces []encoder.Piece
	for _, word := range strings.Fields(strings.ToLower(text)) {
		var seed uint64
		for _, r := range word {
			seed = seed*131 + uint64(r)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		v := make(encoder.Vector, vectorSize)
		for i := range v {
			v[i] = rng.Float32() - 0.5
			sum[i] += v[i]
		}
		pieces = append(pieces, encoder.Piece{ID: int(seed % 100_000), Vector: centre(v, nil)})
	}
	return encoder.Encoded{Whole: centre(sum, nil), Pieces: pieces}
}

func shop() []content.Entry {
	return []content.Entry{
		{ID: "hours", Question: "When are you open?", Alternates: []string{"What are your opening hours?"}, Answer: "Now."},
		{ID: "price", Question: "What does a repair cost?", Answer: "From 40 euros."},
		{ID: "cancel", Question: "How do I cancel an appointment?", Answer: "Write to us a day before."},
	}
}

func embedder(t *testing.T, e Encoder, files Files) *Embedder {
	return NewEmbedder(e, Shipped(), files, func(err error) { t.Errorf("reported: %v", err) })
}

func prepare(t *testing.T, r *Embedder, entries []content.Entry, questions ...string) {
	t.Helper()
	release, err := r.Prepare(t.Context(), entries, nil, questions)
	release()
	expect.OK(t, err)
}

func kept(dir string) Files { return Files{Kept: filepath.Join(dir, "vectors")} }

func TestStoreKeepsWhatWasEncoded(t *testing.T) {
	t.Parallel()
	const golden = "Do you sell boats?"
	dir, first, again := kept(t.TempDir()), new(wordEncoder), new(wordEncoder)
	twice := append(shop(), shop()[0])
	writer := embedder(t, first, dir)
	prepare(t, writer, twice, golden)
	made := New(nil, writer, twice, nil)
	later := embedder(t, again, dir)
	release, err := later.Prepare(t.Context(), twice, nil, []string{golden})
	expect.OK(t, err)
	read := New(nil, later, twice, nil)
	q, err := later.question(t.Context(), golden)
	release()
	expect.OK(t, err)
	expect.Same(t, "encoded first, and then", [2]int32{8, 0},
		[2]int32{first.encoded.Load(), again.encoded.Load()})
	expect.Same(t, "what was kept differs", made.read(q).like, read.read(q).like)
	if later.texts != nil {
		t.Error("the vectors stay in memory, although they are in the file")
	}
	changed := shop()
	changed[1].Answer = "From 45 euros."
	prepare(t, later, changed)
	done, total := later.Progress()
	expect.Same(t, "encoded, progress, kept", [4]int{1, 7, 7, 7},
		[4]int{int(again.encoded.Load()), done, total, len(later.read(dir.Kept))})
	// A part of the content, as the comparison of entries tries it, throws nothing away.
	New(nil, later, changed[:2], nil)
	expect.Same(t, "encoded, and kept", [2]int{1, 7},
		[2]int{int(again.encoded.Load()), len(later.read(dir.Kept))})
}

func TestBatch(t *testing.T) {
	t.Parallel()
	short, long := encoder.Text{Text: "short"}, encoder.Text{Text: strings.Repeat("x", batchBytes)}
	longer := encoder.Text{Text: long.Text + "x"}
	for i, test := range []struct {
		texts []encoder.Text
		want  int
	}{
		{[]encoder.Text{short, short}, 2},
		{slices.Repeat([]encoder.Text{short}, batchTexts+1), batchTexts},
		{[]encoder.Text{long, short}, 1},
		{[]encoder.Text{short, long}, 1},
		{[]encoder.Text{longer, short}, 1},
	} {
		expect.Same(t, fmt.Sprint("of texts ", i), test.want, len(batch(test.texts)))
	}
}

// A start that is often killed still finishes.
func TestPrepareGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	dir, entries := kept(t.TempDir()), shop()
	for i := range 40 {
		entries = append(entries, content.Entry{ID: fmt.Sprint(i), Question: fmt.Sprint("Question ", i)})
	}
	known := 0
	for starts := 0; ; starts++ {
		e := &wordEncoder{hold: make(chan struct{})}
		r := embedder(t, e, dir)
		ctx, stop := context.WithCancel(t.Context())
		go func() { // lets ten texts pass
			for range 10 {
				e.hold <- struct{}{}
			}
			stop()
			close(e.hold)
		}()
		release, err := r.Prepare(ctx, entries, nil, nil)
		release()
		stop()
		before := known
		known = len(r.read(dir.Kept))
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || known < before+10 || starts > 10 {
			t.Fatalf("start %d: %v, %d texts are known, %d before", starts, err, known, before)
		}
	}
}

func TestShippedVectors(t *testing.T) {
	t.Parallel()
	shipped, e := kept(t.TempDir()).Kept, new(wordEncoder)
	prepare(t, embedder(t, new(wordEncoder), Files{Kept: shipped}), shop())
	own := kept(t.TempDir())
	own.Shipped = shipped
	more := append(shop(), content.Entry{ID: "boats", Question: "Do you sell boats?"})
	r := embedder(t, e, own)
	prepare(t, r, more)
	expect.Same(t, "encoded and kept", [2]int{1, 1},
		[2]int{int(e.encoded.Load()), len(r.read(own.Kept))})
	var reported error
	foreign := NewEmbedder(&otherEncoder{}, Shipped(), Files{Shipped: shipped}, func(err error) { reported = err })
	prepare(t, foreign, shop())
	expect.Error(t, "vectors of another encoder", reported, errForeign)
	expect.Says(t, "vectors of another encoder", reported, shipped)
}

func TestForeignFile(t *testing.T) {
	t.Parallel()
	files := kept(t.TempDir())
	foreign := files
	foreign.Foreign = true
	prepare(t, embedder(t, new(wordEncoder), foreign), shop())
	expect.Error(t, "the file of another service", expect.ErrorOf(os.Stat(files.Kept)), os.ErrNotExist)
	prepare(t, embedder(t, new(wordEncoder), files), shop())
	reader := new(wordEncoder)
	prepare(t, embedder(t, reader, foreign), shop())
	expect.Same(t, "texts that were encoded", 0, reader.encoded.Load())
}

type otherEncoder struct{ wordEncoder }

func (*otherEncoder) ID() string { return "other" }

func TestDamagedStoreIsIgnoredAndWrittenAgain(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"empty":    func([]byte) []byte { return nil },
		"cut":      func(b []byte) []byte { return b[:len(b)/2] },
		"a bit":    func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"not ours": func([]byte) []byte { return []byte("hello") },
		"foreign ids": func(b []byte) []byte {
			b = b[:len(b)-sha256.Size]
			binary.LittleEndian.PutUint32(b[len(header(new(wordEncoder)))+textSize:], 1<<31-1) // of the first piece
			sum := sha256.Sum256(b)
			return append(b, sum[:]...)
		},
		"more of it": func(b []byte) []byte { return append(b, b...) },
	} {
		files := kept(t.TempDir())
		prepare(t, embedder(t, new(wordEncoder), files), shop())
		good := expect.File(t, files.Kept)
		expect.Write(t, files.Kept, damage([]byte(good)))
		var reported error
		e := new(wordEncoder)
		prepare(t, NewEmbedder(e, Shipped(), files, func(err error) { reported = err }), shop())
		expect.Error(t, name, reported, errDamaged)
		expect.Same(t, name+": texts encoded", 7, e.encoded.Load())
		expect.Same(t, name+": the file is written again", true, good == expect.File(t, files.Kept))
	}
}

func TestUnwritableFolderIsReported(t *testing.T) {
	t.Parallel()
	var reported []error
	r := NewEmbedder(new(wordEncoder), Shipped(), kept(filepath.Join(t.TempDir(), "missing")),
		func(err error) { reported = append(reported, err) })
	prepare(t, r, shop())
	if len(reported) != 1 || !errors.Is(reported[0], os.ErrNotExist) || len(r.texts) != 7 {
		t.Errorf("reported %v; %d texts are in memory", reported, len(r.texts))
	}
	path := filepath.Join(t.TempDir(), "kept")
	expect.OK(t, os.Mkdir(path, 0o755))
	expect.Same(t, "a folder is replaced", false, replaceFile(path, r, r.texts) == nil)
	expect.Same(t, "files after a failure", []string{path}, expect.Value(filepath.Glob(filepath.Dir(path)+"/*"))(t))
}

func FuzzStore(f *testing.F) {
	e := new(wordEncoder)
	r := NewEmbedder(e, Shipped(), Files{}, nil)
	written := func(texts map[textKey]*encoded) []byte {
		var b bytes.Buffer
		_ = writeTexts(&b, e, texts)
		return b.Bytes()
	}
	f.Add(written(map[textKey]*encoded{{1}: r.encode(encoder.Text{Text: "two words"})[0]}))
	f.Add([]byte(storeMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		texts, err := decode(data, e)
		if err != nil {
			return
		}
		if again, err := decode(written(texts), e); err != nil || len(again) != len(texts) {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

// A question for which no processor is free in time is refused and counted.
func TestBusyEncoder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &wordEncoder{hold: make(chan struct{})}
		r := embedder(t, e, Files{})
		processors := runtime.GOMAXPROCS(0)
		for i := range processors {
			go r.question(t.Context(), fmt.Sprint("busy ", i))
		}
		patient := make(chan error, 1)
		go func() {
			_, err := r.question(context.Background(), "patient")
			patient <- err
		}()
		synctest.Wait()
		began, trace := time.Now(), new(span.Span)
		hurried, cancel := context.WithTimeout(context.WithValue(t.Context(), span.Key{}, trace), MaxWait)
		defer cancel()
		for _, part := range []string{"in a hurry", "and its second part"} {
			_, err := r.question(hurried, part)
			expect.Error(t, part, err, ErrBusy)
			expect.Same(t, part+": after, and in the log",
				[]any{MaxWait, true}, []any{time.Since(began), trace.EncoderSkipped()})
		}
		expect.Same(t, "texts at once", processors, int(e.encoded.Load()))
		close(e.hold)
		expect.Error(t, "the patient one", <-patient, nil)
		synctest.Wait()
		encoded, refused := r.Counts()
		expect.Same(t, "encoded, refused, all processors free", []any{processors + 1, 2, true},
			[]any{int(encoded), int(refused), r.queue.processors.TryAcquire(int64(processors))})
	})
}

// A network that asks too much delays only itself.
func TestQueueIsFair(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		expect.OK(t, q.enter(t.Context(), "flood"))
		var order []string
		enter := func(network string) {
			go func() {
				if q.enter(t.Context(), network) != nil {
					network += " refused"
				}
				order = append(order, network) // one at a time: each holds the only processor, or is the only one refused
			}()
			synctest.Wait()
		}
		for range maxWaiting + 1 {
			enter("flood")
		}
		enter("a")
		enter("b")
		expect.Same(t, "one flood is too many, and there are places for the others", []string{"flood refused"}, order)
		order = nil
		for range 5 {
			q.leave()
			synctest.Wait()
		}
		expect.Same(t, "the turns", []string{"flood", "a", "b", "flood", "flood"}, order)
		left, leave := context.WithCancel(t.Context())
		leave()
		if err := q.enter(left, "a"); !errors.Is(err, ErrBusy) || q.waiting != maxWaiting-3 {
			t.Errorf("a caller that has left: %v, %d wait", err, q.waiting)
		}
		for range q.waiting {
			q.leave()
			synctest.Wait()
		}
		if q.leave(); !q.processors.TryAcquire(1) || len(q.lines) != 0 {
			t.Errorf("in the end %d networks wait, or no processor is free", len(q.lines))
		}
	})
}

// A crowd of questions must not make the desk answer by words.
func TestBusyIsSureOfNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := new(wordEncoder)
		r := embedder(t, e, Files{})
		words := lexical.New(shop(), nil, lexical.Shipped())
		s := New(words, r, shop(), nil)
		const q = "tell me the opening times"
		all := func(int) bool { return true }
		expect.Same(t, "sure by words", true, words.Select(q, all, 0.5).Sure)
		r.queue.processors.TryAcquire(int64(runtime.GOMAXPROCS(0)))
		brief, cancel := context.WithTimeout(t.Context(), MaxWait)
		defer cancel()
		got := s.Select(brief, q, all, 0.5)
		if got.Sure || !got.Busy || got.Near == 0 || got.Best[0] != 0 {
			t.Errorf("busy: %+v, want the entry as a candidate only", got)
		}
	})
}

func TestQuestionsAreRemembered(t *testing.T) {
	t.Parallel()
	e := new(wordEncoder)
	r := embedder(t, e, Files{})
	const q = "is it open"
	long := q + strings.Repeat(" now", mostPieces)
	var encoded []int32                                   // until then
	for _, question := range []string{q, q, long, long} { // one that is too long is encoded again
		expect.Value(r.question(t.Context(), question))(t)
		encoded = append(encoded, e.encoded.Load())
	}
	expect.Same(t, "questions encoded", []int32{1, 1, 2, 3}, encoded)
}
