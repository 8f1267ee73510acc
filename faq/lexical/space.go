package lexical

import "unicode/utf8"

// feature is the number of something that a text can have.
type feature int32

// absent is the feature of what no text of the content has.
const absent feature = -1

// The kinds of features. Each is brought to the same length apart, so that a long
// word does not outweigh the others by its many parts.
const (
	stems    = iota // words, as stems
	pairs           // neighbouring stems, with the ends of the text
	skips           // stems with one to three words between them
	grams           // parts of words, which survive a typing error
	concepts        // what words may stand for
	kinds           // how many kinds there are
)

// spelling is a word of the content as it was written.
type spelling struct {
	stem  feature
	parts []feature // its n-grams and its concepts
}

// space numbers and weighs the features of the content.
type space struct {
	profile
	background *Background
	spellings  map[string]spelling
	stems      map[string]feature
	pairs      map[[2]feature]feature
	skips      map[[2]feature]feature
	grams      map[string]feature
	concepts   map[int]feature
	kind       []uint8    // by feature
	weight     []float32  // by feature: inverse document frequency
	subject    []bool     // by feature: a stem that not every question has
	vocabulary vocabulary // of what typing errors may hide
	texts      float64    // of the content and, at their share, of the background
}

func newSpace(p profile, background *Background) *space {
	return &space{
		profile: p, background: background,
		spellings: map[string]spelling{}, stems: map[string]feature{},
		grams: map[string]feature{}, concepts: map[int]feature{},
		pairs: map[[2]feature]feature{}, skips: map[[2]feature]feature{},
	}
}

// add numbers a new feature.
func (s *space) add(kind uint8) feature {
	s.kind = append(s.kind, kind)
	return feature(len(s.kind) - 1)
}

// learn gives the features of a word of the content.
func (s *space) learn(word string) spelling {
	if known, ok := s.spellings[word]; ok {
		return known
	}
	stem := s.stemOf(word)
	found := spelling{stem: numbered(s, s.stems, stem, stems)}
	for gram := range s.windows(word) {
		found.parts = append(found.parts, numbered(s, s.grams, gram, grams))
	}
	for _, concept := range s.conceptsOf(stem) {
		found.parts = append(found.parts, numbered(s, s.concepts, concept, concepts))
	}
	s.spellings[word] = found
	return found
}

// numbered gives the feature of a key, which is new if nothing had it yet.
func numbered[K comparable](s *space, known map[K]feature, key K, kind uint8) feature {
	number, ok := known[key]
	if !ok {
		number = s.add(kind)
		known[key] = number
	}
	return number
}

// look gives the features of a word of a question; those of a new word are
// appended to room.
func (s *space) look(word string, room []feature) spelling {
	if known, ok := s.spellings[word]; ok {
		return known
	}
	found := spelling{stem: absent, parts: room}
	stem := s.stemOf(word)
	if number, ok := s.stems[stem]; ok {
		found.stem = number
	}
	for gram := range s.windows(word) {
		if part, ok := s.grams[gram]; ok {
			found.parts = append(found.parts, part)
		}
	}
	for _, concept := range s.conceptsOf(stem) {
		if part, ok := s.concepts[concept]; ok {
			found.parts = append(found.parts, part)
		}
	}
	return found
}

// windows gives the character n-grams of a word with its ends marked.
func (s *space) windows(word string) func(func(string) bool) {
	return func(yield func(string) bool) {
		padded := " " + word + " "
		runes := utf8.RuneCountInString(padded)
		for n := s.gramMin; n <= s.gramMax; n++ {
			if runes <= n {
				yield(padded)
				return
			}
			if !slide(padded, n, yield) {
				return
			}
		}
	}
}

// slide gives each n neighbouring characters of s, which has more than n, and
// reports whether more is wanted.
func slide(s string, n int, yield func(string) bool) bool {
	end := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	for start := 0; ; {
		if !yield(s[start:end]) {
			return false
		}
		if end == len(s) {
			return true
		}
		_, size := utf8.DecodeRuneInString(s[start:])
		start += size
		_, size = utf8.DecodeRuneInString(s[end:])
		end += size
	}
}

// joint gives the feature of two stems, which is made when the text is learnt.
func (s *space) joint(kind uint8, first, second feature, learn bool) feature {
	known := s.pairs
	if kind == skips {
		known = s.skips
	}
	key := [2]feature{first, second}
	number, ok := known[key]
	switch {
	case ok:
		return number
	case !learn:
		return absent
	}
	return numbered(s, known, key, kind)
}
