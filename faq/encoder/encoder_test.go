package encoder

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

func open(t testing.TB) *Encoder {
	t.Helper()
	return expect.Value(Multilingual())(t)
}

func vectorOf(e *Encoder, kind Kind, text string) Vector {
	return e.Encode(Text{kind, text})[0].Whole
}

// referenceText is made by faq/train/encoder/reference.py.
type referenceText struct {
	Text, Pieces string
	Vector       []byte // int16, scaled; of some texts
}

func reference(t testing.TB) []referenceText {
	t.Helper()
	var texts []referenceText
	for line := range bytes.Lines(expect.Value(os.ReadFile("testdata/reference.jsonl"))(t)) {
		texts = append(texts, expect.JSON[referenceText](t, line))
	}
	expect.AtLeast(t, "texts", 200, len(texts))
	return texts
}

func TestPiecesAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	e := open(t)
	for _, r := range reference(t) {
		tokens := e.tokens(Query, r.Text)
		var pieces []string
		for _, token := range tokens[1 : len(tokens)-1] {
			pieces = append(pieces, strings.TrimPrefix(e.at(token), "\x00"))
		}
		expect.Same(t, "pieces of "+r.Text, r.Pieces, strings.Join(pieces, " "))
	}
}

const slow = "nothing is shared, and each text takes twenty times as long"

func TestVectorsAreNearThoseOfTheReference(t *testing.T) {
	expect.SkipInRace(t, slow)
	t.Parallel()
	e := open(t)
	n := 0
	for _, r := range reference(t) {
		if r.Vector == nil {
			continue
		}
		want := make(Vector, len(r.Vector)/2)
		for i := range want {
			want[i] = float32(int16(binary.LittleEndian.Uint16(r.Vector[2*i:])))
		}
		normalise(want)
		expect.AtLeast(t, "cosine to the vector of "+r.Text, 0.9995, float64(Cosine(vectorOf(e, Query, r.Text), want)))
		n++
	}
	expect.AtLeast(t, "vectors", 40, n)
}

// The digest was computed on amd64. Every kernel and processor must reproduce it.
func TestVectorsAreTheSameEverywhere(t *testing.T) {
	expect.SkipInRace(t, slow)
	e := open(t)
	h := sha256.New()
	for i, r := range reference(t) {
		if i%10 != 0 {
			continue
		}
		for _, kind := range []Kind{Query, Passage} {
			for _, v := range vectorOf(e, kind, r.Text) {
				h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
			}
		}
	}
	golden.Check(t, "testdata/vectors.sha256", fmt.Appendf(nil, "%x\n", h.Sum(nil)))
}

func TestEncodeReadsAnything(t *testing.T) {
	t.Parallel()
	e := open(t)
	for _, text := range []string{
		"", "\x00", "\xff\xfe", "\xc3", strings.Repeat("é", 5000), strings.Repeat("a b ", 100_000),
		strings.Repeat("\u0301", 10_000), strings.Repeat("\ufdfa", 10_000), strings.Repeat("x", 1<<20),
		strings.Repeat("\xe2\x96", 3000),
	} {
		n := len(e.tokens(Query, text))
		expect.AtMost(t, fmt.Sprintf("tokens of %.20q", text), e.Positions, n)
		if n > e.Positions/2 && !strings.HasPrefix(text, "a b ") {
			continue // one long text is enough: each takes a while with the race detector
		}
		v := vectorOf(e, Passage, text)
		if length := dot(v, v); len(v) != e.Hidden || math.Abs(float64(length)-1) > 1e-5 {
			t.Errorf("%.20q: vector of %d numbers and length² %v", text, len(v), length)
		}
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text        string
		least, most float64
	}{
		{"", 0, 0},
		{"?!", 0, 0},
		{"How much is it?", 1, 1},
		{"Was kostet das für Größe 5?", 1, 1},
		{"¿Cuánto cuesta el niño?", 1, 1},
		{"Où êtes-vous, s'il vous plaît ?", 1, 1},
		{"Perché è così?", 1, 1},
		{"Não há promoções?", 1, 1},
		{"Één vraagje over ’s ochtends", 1, 1},
		{"Zażółć gęślą jaźń", 1, 1},
		{"猫が好きです", 0, 0},
		{"Сколько это стоит?", 0, 0.1},
		{"iPhone 修理", 0.6, 0.9},
	} {
		if got := open(t).Coverage(row.text); got < row.least || got > row.most {
			t.Errorf("coverage of %q is %.2f, want %v to %v", row.text, got, row.least, row.most)
		}
	}
}

func TestEncodeTogether(t *testing.T) {
	expect.SkipInRace(t, slow)
	t.Parallel()
	e := open(t)
	var texts []Text
	for i, r := range reference(t)[:24] {
		texts = append(texts, Text{Kind(i % 2), r.Text})
	}
	texts = append(texts, Text{Query, ""}, Text{Passage, strings.Repeat("a long text ", 60)})
	for i, got := range e.Encode(texts...) {
		expect.Same(t, "vectors of "+texts[i].Text, e.Encode(texts[i])[0], got)
	}
}

func TestIDNamesModelAndWeights(t *testing.T) {
	t.Parallel()
	if e := open(t); !strings.HasPrefix(e.ID(), e.Name+"-"+e.SHA256[:16]) {
		t.Errorf("ID %q", e.ID())
	}
}

func TestOpenRefusesBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ file, want string }{
		{"", "encoder: not a weight file"},
		{strings.Repeat("x", 100), "encoder: not a weight file"},
		{strings.Replace(multilingualWeights[:1000], "{", "[", 1), "header of the weight file"},
		{strings.Replace(multilingualWeights[:1000], `"format":1`, `"format":9`, 1), "format 9, want 1"},
		{strings.Replace(multilingualWeights, `"unigram"`, `"unagram"`, 1), `tokenizer "unagram"`},
	} {
		expect.Says(t, "a broken file", expect.ErrorOf(Open(row.file)), row.want)
	}
}

func TestEncodeAllocatesLittle(t *testing.T) {
	e := open(t)
	text := strings.Repeat("How much is it? ", 3)
	vectorOf(e, Query, text)
	expect.AtMost(t, "allocations", 60, testing.AllocsPerRun(5, func() { vectorOf(e, Query, text) }))
}

func BenchmarkEncodeTogether(b *testing.B) {
	e := open(b)
	wording := Text{Query, "Can I move my appointment to another day?"}
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("texts=%d", n), func(b *testing.B) {
			for b.Loop() {
				e.Encode(slices.Repeat([]Text{wording}, n)...)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/text")
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	e := open(b)
	for _, n := range []int{6, 12, 24, 128} {
		tokens := make([]int, n)
		for i := range tokens {
			tokens[i] = 2000 + 37*i
		}
		b.Run(fmt.Sprintf("tokens=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := scratches.Get().(*scratch)
				e.run(s, tokens)
				e.pooled(s.x)
				scratches.Put(s)
			}
		})
	}
}
