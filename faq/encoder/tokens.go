package encoder

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestText is how many bytes of a text are read. A token has some four bytes, so this is more than the
// model reads of any real text, and it bounds what a hostile text costs before the model cuts it.
const longestText = 2048

// tokens splits a text into the model's tokens, between its first and its last token.
func (e *Encoder) tokens(kind Kind, text string) []int {
	ids := append(make([]int, 0, 64), e.First)
	ids = e.split(ids, normalised(e.prefix(kind)+cut(text)))
	return append(ids[:min(len(ids), e.Positions-1)], e.Last)
}

func (e *Encoder) prefix(kind Kind) string {
	if kind == Passage {
		return e.Passage
	}
	return e.Query
}

// cut returns the first bytes of a long text, whole code points only.
func cut(text string) string {
	if len(text) <= longestText {
		return text
	}
	end := longestText
	for end > longestText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// at returns a piece of the vocabulary by its place; pieces are in byte order.
func (e *Encoder) at(i int) string {
	return e.Pieces[Uint32(e.Starts, i):Uint32(e.Starts, i+1)]
}

// find returns the place of s in the vocabulary, or of the first piece after it.
func (e *Encoder) find(s string) (int, bool) {
	return sort.Find(e.Vocabulary, func(i int) int { return strings.Compare(s, e.at(i)) })
}

// Space is how SentencePiece writes a space and the start of a text.
const Space = "▁"

// normalised is SentencePiece's normalisation nmt_nfkc: compatible code points become one, invisible spaces plain, and
// control characters are removed.
func normalised(text string) string { return norm.NFKC.String(strings.Map(nmt, text)) }

// split cuts a text into the pieces with the best sum of scores (Viterbi). Neighbouring code points that
// the vocabulary lacks become one unknown token.
func (e *Encoder) split(ids []int, text string) []int {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' })
	if len(words) == 0 {
		return ids
	}
	text = cut(Space + strings.Join(words, Space))
	type step struct {
		score    float32
		from, id int
	}
	best := make([]step, len(text)+1)
	for i := range best {
		best[i].score = -1e30
	}
	best[0].score = 0
	for i := range text {
		try := func(end, id int, score float32) {
			if s := best[i].score + score; s > best[end].score {
				best[end] = step{s, i, id}
			}
		}
		for end := i; end < len(text); {
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
			id, ok := e.find(text[i:end])
			if ok {
				try(end, id, Float32(e.Scores, id))
			} else if end-i == n {
				try(end, e.Unknown, e.UnknownScore)
			}
			if id == e.Vocabulary || !strings.HasPrefix(e.at(id), text[i:end]) {
				break // no longer piece begins so
			}
		}
	}
	n := len(ids)
	for i := len(text); i > 0; i = best[i].from {
		if id := best[i].id; id != e.Unknown || len(ids) == n || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids[n:])
	return ids
}

// nmt makes invisible spaces plain and removes control characters, as SentencePiece's nmt_nfkc does
// besides NFKC.
func nmt(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\f' || r == '\r' || r == 0x1680 || r >= 0x200B && r <= 0x200F ||
		r == 0x2028 || r == 0x2029 || r == 0x2581 || r == 0xFEFF || r == utf8.RuneError:
		return ' '
	case r < ' ' || r == 0x7F || r == 0x8F || r == 0x9F:
		return -1
	}
	return r
}
