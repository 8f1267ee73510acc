package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk/faq/encoder"
	"frontdesk/internal/expect"
)

func TestReadWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 40)
	list := "\x94\x82\xa6format\xa2cB\xa7version\x01" + "\x90" + "\x92\xa3the\xa2of" + "\xdc\x00\x01\xd9\x28" + long
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	g := gzip.NewWriter(expect.Value(w.Create("wordfreq/data/large_en.msgpack.gz"))(t))
	expect.Value(g.Write([]byte(list)))(t)
	expect.OK(t, g.Close(), w.Close())
	z := expect.Value(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	expect.Same(t, "words", []string{"the", "of", long}, expect.Value(readWords(z, "en"))(t))
	if _, err := readWords(z, "de"); err == nil {
		t.Error("a missing list is no error")
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	pieces := []string{"▁", "▁car", "▁c", "ar", "pet", "a", "r"}
	c := newCutter(pieces, []float32{-4, -5, -6, -3, -4, -8, -8})
	for word, want := range map[string][]string{
		"▁carpet": {"▁car", "pet"}, "▁ar": {"▁", "ar"}, "▁car漢": {"▁car", "?"}, "": nil,
	} {
		var got []string
		for _, i := range c.cut(word) {
			if i == unknownPiece {
				got = append(got, "?")
			} else {
				got = append(got, pieces[i])
			}
		}
		slices.Reverse(got)
		expect.Same(t, word+" is cut into", want, got)
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()
	const readable, others = "aZßŻÑ▁5€.’👍", "дλ漢かğřă☃٣"
	expect.Same(t, "what is foreign", others, strings.Map(func(r rune) rune {
		if foreign(r) {
			return r
		}
		return -1
	}, readable+others))
}

func TestQuantise(t *testing.T) {
	t.Parallel()
	l := quantise(&matrix{2, 3, []float32{1, -2, 0.5, 0, 0, 0}}, []float32{7, 8})
	expect.Same(t, "weights", encoder.Linear{Rows: 2, Cols: 3, Scale: []float32{2.0 / 127, 1}, Bias: []float32{7, 8},
		W: []int8{64, -127, 32, 0, 0, 0}}, l)
}

func TestAnotherPackageIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	expect.Write(t, filepath.Join(folder, e5Package), "other bytes")
	expect.Says(t, "another package", expect.ErrorOf(open(folder, e5Package)), checksums[e5Package])
}
