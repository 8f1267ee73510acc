package meaning

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// wordEncoder is an encoder whose texts are alike as far as they share words. It counts what it encodes, and waits
// for hold if that is set.
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

func (e *wordEncoder) Token(int) (string, float64) { return space + "word", 12 }

func (e *wordEncoder) EncodePieces(_ encoder.Kind, text string) (encoder.Vector, []encoder.Piece) {
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
		pieces = append(pieces, encoder.Piece{ID: int(seed % 100_000), Vector: centred(v, nil)})
	}
	return centred(sum, nil), pieces
}

func shop() []content.Entry {
	return []content.Entry{
		{ID: "hours", Question: "When are you open?", Alternates: []string{"What are your opening hours?"}, Answer: "From nine to five."},
		{ID: "price", Question: "What does a repair cost?", Answer: "From 40 euros."},
		{ID: "cancel", Question: "How do I cancel an appointment?", Answer: "Write to us a day before."},
	}
}

func noReport(t *testing.T) func(error) {
	return func(err error) { t.Errorf("reported: %v", err) }
}

func TestStoreKeepsWhatWasEncoded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, again := new(wordEncoder), new(wordEncoder)
	made := newIndex(newReader(first, dir, noReport(t)), Shipped().Centres, shop(), []string{"Do you sell boats?"})
	read := newIndex(newReader(again, dir, noReport(t)), Shipped().Centres, shop(), []string{"Do you sell boats?"})
	if first.encoded.Load() != 8 || again.encoded.Load() != 0 {
		t.Errorf("encoded %d and then %d texts, want 8 and 0", first.encoded.Load(), again.encoded.Load())
	}
	q := new(questionMeaning)
	q.whole, q.pieces = first.EncodePieces(encoder.Query, "When do you open?")
	if diff := cmp.Diff(made.read(q).like, read.read(q).like); diff != "" {
		t.Errorf("what was kept differs:\n%s", diff)
	}
	changed := shop()
	changed[1].Answer = "From 45 euros."
	reader := newReader(again, dir, noReport(t))
	newIndex(reader, Shipped().Centres, changed, nil)
	if again.encoded.Load() != 1 {
		t.Errorf("%d texts were encoded for one change", again.encoded.Load())
	}
	if kept := len(reader.store.texts); kept != 7 {
		t.Errorf("%d texts are kept, want those of the content: 7", kept)
	}
}

func TestDamagedStoreIsIgnoredAndWrittenAgain(t *testing.T) {
	t.Parallel()
	damages := map[string]func([]byte) []byte{
		"empty":    func([]byte) []byte { return nil },
		"cut":      func(b []byte) []byte { return b[:len(b)/2] },
		"a bit":    func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"not ours": func([]byte) []byte { return []byte("hello") },
		"foreign ids": func(b []byte) []byte {
			b = b[:len(b)-sha256.Size]
			binary.LittleEndian.PutUint32(b[len(storeMagic)+textSize:], 1<<31-1) // of the first piece
			sum := sha256.Sum256(b)
			return append(b, sum[:]...)
		},
		"more of it": func(b []byte) []byte { return append(b, b...) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			newIndex(newReader(new(wordEncoder), dir, noReport(t)), Shipped().Centres, shop(), nil)
			path := filepath.Join(dir, storeFile)
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage([]byte(string(good))), 0o600); err != nil {
				t.Fatal(err)
			}
			var reported error
			e := new(wordEncoder)
			newIndex(newReader(e, dir, func(err error) { reported = err }), Shipped().Centres, shop(), nil)
			if !errors.Is(reported, errDamaged) || e.encoded.Load() != 7 {
				t.Errorf("reported %v, encoded %d", reported, e.encoded.Load())
			}
			if again, err := os.ReadFile(path); err != nil || string(again) != string(good) {
				t.Errorf("the file was not written again: %v", err)
			}
		})
	}
}

// A pipe in place of the file would block the start.
func TestPipeInPlaceOfTheStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, storeFile)
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("this system has no mkfifo")
	}
	if err := exec.Command(mkfifo, path).Run(); err != nil {
		t.Fatal(err)
	}
	var reported error
	newIndex(newReader(new(wordEncoder), dir, func(err error) { reported = err }), Shipped().Centres, shop(), nil)
	if info, err := os.Stat(path); !errors.Is(reported, errDamaged) || err != nil || !info.Mode().IsRegular() {
		t.Errorf("reported %v; the file is %v, %v", reported, info, err)
	}
}

func TestUnwritableFolderIsReported(t *testing.T) {
	t.Parallel()
	var reported error
	missing := filepath.Join(t.TempDir(), "missing")
	x := newIndex(newReader(new(wordEncoder), missing, func(err error) { reported = err }), Shipped().Centres, shop(), nil)
	if x == nil || !errors.Is(reported, os.ErrNotExist) {
		t.Errorf("index %v, reported %v", x != nil, reported)
	}
}

func FuzzStore(f *testing.F) {
	s := newStore("", nil)
	s.texts[textKey{1}] = Shipped().Centres.encode(new(wordEncoder), source{encoder.Query, "two words"})
	f.Add(s.appendEncoded(nil))
	f.Add([]byte(storeMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := newStore("", nil)
		if read.decode(data, math.MaxInt) == nil && string(read.appendEncoded(nil)) != string(data) {
			// Only the order of the texts may differ.
			again := newStore("", nil)
			if err := again.decode(read.appendEncoded(nil), math.MaxInt); err != nil || len(again.texts) != len(read.texts) {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
	})
}

// No more questions are encoded at once than there are processors; a question that waits too long is refused and
// counted, and one without an end to its patience is encoded.
func TestBusyEncoder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &wordEncoder{hold: make(chan struct{})}
		r := newReader(e, "", noReport(t))
		for i := range cap(r.slots) {
			go r.question(t.Context(), fmt.Sprint("busy ", i))
		}
		patient := make(chan error, 1)
		go func() {
			_, err := r.question(context.Background(), "patient")
			patient <- err
		}()
		synctest.Wait()
		began := time.Now()
		if _, err := r.question(Brief(t.Context()), "in a hurry"); !errors.Is(err, ErrBusy) || time.Since(began) != maxWait {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if running := int(e.encoded.Load()); running != cap(r.slots) {
			t.Errorf("%d texts at once on %d processors", running, cap(r.slots))
		}
		close(e.hold)
		if err := <-patient; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if encoded, refused := r.Counts(); int(encoded) != cap(r.slots)+1 || refused != 1 {
			t.Errorf("counted %d encoded, %d refused", encoded, refused)
		}
	})
}

// TestBusyIsSureOfNothing asks what the selector by words would answer while every processor is taken: a crowd of questions must
// not make the desk answer by words.
func TestBusyIsSureOfNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := new(wordEncoder)
		r := newReader(e, "", noReport(t))
		words := lexical.New(shop(), lexical.Options{Precision: 0.5, Knowledge: lexical.Shipped()})
		s := New(words, r, Shipped(), shop(), nil, 0.5)
		const q = "tell me the opening times"
		all := func(int) bool { return true }
		if byWords := words.Select(q, all); !byWords.Sure || byWords.Sureness >= s.regime.Words {
			t.Fatalf("by words %+v is chosen: the question must be one that they answer, and not beyond doubt", byWords)
		}
		for range cap(r.slots) {
			r.slots <- struct{}{}
		}
		got := s.Select(Brief(t.Context()), q, all)
		if got.Sure || !got.Busy || got.Near == 0 || got.Best[0] != 0 {
			t.Errorf("busy: %+v, want the entry as a candidate only", got)
		}
	})
}

func TestQuestionCacheIsBounded(t *testing.T) {
	t.Parallel()
	e := new(wordEncoder)
	r := newReader(e, "", noReport(t))
	const long = 120 // pieces, nearly as many as a question can have
	asked := func(i int) string { return fmt.Sprint(i, strings.Repeat(" a", long-1)) }
	const most = maxVectors / (long + 1)
	for i := range most + 10 {
		if _, err := r.question(t.Context(), asked(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.questions.known); n != most || n != len(r.questions.order) || r.questions.vectors > maxVectors {
		t.Errorf("%d questions with %d vectors are remembered, want %d with at most %d", n, r.questions.vectors, most, maxVectors)
	}
	before := e.encoded.Load()
	r.question(t.Context(), asked(most+9))
	r.question(t.Context(), asked(0))
	if e.encoded.Load() != before+1 {
		t.Errorf("%d of a new and a forgotten question were encoded, want one", e.encoded.Load()-before)
	}
}
