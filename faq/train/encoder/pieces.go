package main

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// languages are those that the multilingual encoder reads, and letters those of their alphabets.
var languages = []string{"en", "de", "es", "fr", "it", "pt", "nl", "pl"}

const letters = "abcdefghijklmnopqrstuvwxyzäöüßáéíóúñàâçèêëîïôùûœæãõìòąćęłńśźżåø"

const wordSpace = "▁" // begins a piece that begins a word

const (
	commonWords      = 60000 // of each language: their pieces are kept
	commonInside     = 5000  // kept inside of compounds, too
	commonUpper      = 1500  // kept in capitals, too
	shortest         = 2     // code points of a piece that is always kept, so that anything can be spelt
	unknownPiece     = -1    // in a cut word
	unknownPieceCost = 10    // below the worst score
)

// choosePieces returns the pieces that words of the eight languages are cut into, and all short ones.
func choosePieces(packages string, pieces []string, scores []float32) ([]int, error) {
	z, err := open(packages, wordfreqPackage)
	if err != nil {
		return nil, err
	}
	c := newCutter(pieces, scores)
	used := make([]bool, len(pieces))
	use := func(word string) {
		for _, i := range c.cut(word) {
			if i != unknownPiece {
				used[i] = true
			}
		}
	}
	for _, language := range languages {
		words, err := readWords(z, language)
		if err != nil {
			return nil, fmt.Errorf("word list %s: %w", language, err)
		}
		for n, word := range words[:min(len(words), commonWords)] {
			first, size := utf8.DecodeRuneInString(word)
			forms := []string{word, string(unicode.ToTitle(first)) + word[size:]}
			if n < commonUpper {
				forms = append(forms, strings.ToUpper(word))
			}
			for _, form := range forms {
				use(wordSpace + form)
				if n < commonInside {
					use(form)
				}
			}
		}
	}
	var kept []int
	for i, piece := range pieces {
		bare := strings.Trim(piece, wordSpace)
		always := utf8.RuneCountInString(bare) <= shortest || strings.IndexFunc(bare, unicode.IsLetter) < 0
		if (used[i] || always) && !strings.ContainsFunc(piece, foreign) {
			kept = append(kept, i)
		}
	}
	return kept, nil
}

// foreign reports whether no text in the eight languages has a code point.
func foreign(r rune) bool {
	if strings.ContainsRune(letters, unicode.ToLower(r)) || string(r) == wordSpace {
		return false
	}
	emoji := r >= 0x1F300 && r < 0x1FB00
	return !unicode.In(r, unicode.N, unicode.P, unicode.S, unicode.Z) || !unicode.Is(unicode.Common, r) || r >= 0x2600 &&
		!emoji
}

// A cutter cuts words into the pieces with the best sum of scores.
type cutter struct {
	scores  []float32
	places  map[string]int
	longest int
	unknown float32
}

func newCutter(pieces []string, scores []float32) *cutter {
	c := &cutter{scores: scores, places: map[string]int{}, unknown: slices.Min(scores) - unknownPieceCost}
	for i, p := range pieces {
		c.places[p] = i
		c.longest = max(c.longest, len(p))
	}
	return c
}

func (c *cutter) cut(word string) []int {
	type step struct {
		score       float32
		from, piece int
	}
	best := make([]step, len(word)+1)
	for i := range best[1:] {
		best[i+1].score = float32(math.Inf(-1))
	}
	for i := range word {
		_, size := utf8.DecodeRuneInString(word[i:])
		for end := i + size; end <= min(len(word), i+c.longest); end++ {
			piece, ok := c.places[word[i:end]]
			score := c.unknown
			if ok {
				score = c.scores[piece]
			} else if piece = unknownPiece; end > i+size {
				continue
			}
			if score += best[i].score; score > best[end].score {
				best[end] = step{score, i, piece}
			}
		}
	}
	var pieces []int
	for i := len(word); i > 0; i = best[i].from {
		pieces = append(pieces, best[i].piece)
	}
	return pieces
}

// readWords reads a word list of wordfreq, the most frequent word first: a gzipped MessagePack array of a
// header and arrays of words.
func readWords(z *zip.Reader, language string) ([]string, error) {
	f, err := z.Open("wordfreq/data/large_" + language + ".msgpack.gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(g)
	var words []string
	depth := 0
	for {
		text, isText, err := readMessagePack(r)
		if err == io.EOF {
			return words, nil
		}
		if err != nil {
			return nil, err
		}
		if isText {
			if depth++; depth > headerTexts {
				words = append(words, text)
			}
		}
	}
}

// headerTexts is the texts of the header {"format": "cB", "version": 1}.
const headerTexts = 3

// readMessagePack reads the next token: a text, or the start of an array or a map, or a small number.
func readMessagePack(r *bufio.Reader) (text string, isText bool, err error) {
	kind, err := r.ReadByte()
	if err != nil {
		return "", false, err
	}
	length := func(bytes int) (int, error) {
		b := make([]byte, 4)
		_, err := io.ReadFull(r, b[4-bytes:])
		return int(binary.BigEndian.Uint32(b)), err
	}
	n := 0
	switch {
	case kind < 0xA0: // a small number, map or array
		return "", false, nil
	case kind < 0xC0:
		n = int(kind & 0x1F)
	case kind == 0xD9:
		n, err = length(1)
	case kind == 0xDA:
		n, err = length(2)
	case kind == 0xDC:
		_, err = length(2)
		return "", false, err
	case kind == 0xDD:
		_, err = length(4)
		return "", false, err
	default:
		return "", false, fmt.Errorf("unexpected MessagePack type %#x", kind)
	}
	if err != nil {
		return "", false, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return string(b), true, err
}
