package lexical

import (
	"iter"
	"maps"
	"math"

	"frontdesk/faq/text"
)

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

// Marks of the ends of a text, in the place of a stem.
const (
	textStart feature = -2
	textEnd   feature = -3
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
	parts      map[string]feature // parts of words, and concepts
	joints     map[joint]feature
	kind       []uint8    // by feature
	weight     []float32  // by feature: inverse document frequency
	subject    []bool     // by feature: a stem that not every question has
	vocabulary vocabulary // of what typing errors may hide
	texts      float64    // of the content and, at their share, of the background
}

// joint is a pair or a skip of two stems.
type joint struct {
	kind          uint8
	first, second feature
}

func newSpace(p profile, background *Background) *space {
	return &space{
		profile: p, background: background,
		spellings: map[string]spelling{}, stems: map[string]feature{}, parts: map[string]feature{},
		joints: map[joint]feature{},
	}
}

// read gives the features of a word. When learn is true, new ones are numbered.
func (s *space) read(word string, learn bool) spelling {
	if known, ok := s.spellings[word]; ok {
		return known
	}
	stem := s.stemOf(word)
	found := spelling{stem: numbered(s, s.stems, stem, stems, learn)}
	add := func(part feature) {
		if part != absent {
			found.parts = append(found.parts, part)
		}
	}
	for gram := range s.windows(word) {
		add(numbered(s, s.parts, gram, grams, learn))
	}
	for _, concept := range s.conceptsOf(stem) {
		add(numbered(s, s.parts, concept, concepts, learn))
	}
	if learn {
		s.spellings[word] = found
	}
	return found
}

// numbered gives the feature of a key. A new one is numbered when learn is true, and absent otherwise.
func numbered[K comparable](s *space, known map[K]feature, key K, kind uint8, learn bool) feature {
	number, ok := known[key]
	switch {
	case ok:
		return number
	case !learn:
		return absent
	}
	s.kind = append(s.kind, kind)
	known[key] = feature(len(s.kind) - 1)
	return known[key]
}

// windows gives the character n-grams of a word with its ends marked.
func (s *space) windows(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		padded := " " + word + " "
		starts := make([]int, 0, 64) // of its characters, and its end
		for at := range padded {
			starts = append(starts, at)
		}
		starts = append(starts, len(padded))
		for n := s.gramMin; n <= s.gramMax; n++ {
			if len(starts)-1 <= n {
				yield(padded)
				return
			}
			for i, end := range starts[n:] {
				if !yield(padded[starts[i]:end]) {
					return
				}
			}
		}
	}
}

// backgroundShare is what a text of general language counts beside one of the content.
const backgroundShare = 0.3

// weigh drops the features that too few texts have, numbers the others anew and weighs them.
func (s *space) weigh(counts []int32, texts int) {
	general := s.background.counts(s)
	s.texts = float64(texts) + backgroundShare*s.background.texts
	renumbered := make([]feature, len(counts))
	kept := 0
	for old, count := range counts {
		having := float64(count) + backgroundShare*float64(general[old])
		if renumbered[old] = absent; having < float64(s.fewest) {
			continue
		}
		renumbered[old] = feature(kept)
		s.kind[kept] = s.kind[old]
		s.weight = append(s.weight, s.inverse(having))
		kept++
	}
	s.kind = s.kind[:kept:kept]
	s.renumber(renumbered)
	s.markSubjects()
}

// everyday is the share of texts of general language from which a word says nothing
// about their subject.
const everyday = 0.01

func (s *space) markSubjects() {
	s.subject = make([]bool, len(s.kind))
	for stem, f := range s.stems {
		s.subject[f] = !s.english || !text.IsFunctionWord(stem) &&
			float64(s.background.stems[stem]) <= everyday*s.background.texts
	}
}

// inverse is the weight of a feature that so many texts have.
func (s *space) inverse(having float64) float32 {
	return float32(math.Pow(math.Log((1+s.texts)/(1+having))+1, s.power))
}

func (s *space) renumber(to []feature) {
	renumberMap(s.stems, to)
	renumberMap(s.parts, to)
	renumberMap(s.joints, to)
	stem := func(old feature) feature {
		if old < 0 { // an end of the text
			return old
		}
		return to[old]
	}
	joints := make(map[joint]feature, len(s.joints))
	for j, number := range s.joints {
		joints[joint{j.kind, stem(j.first), stem(j.second)}] = number
	}
	s.joints = joints
	for word, old := range s.spellings {
		found := spelling{stem: to[old.stem], parts: old.parts[:0]}
		for _, part := range old.parts {
			if to[part] != absent {
				found.parts = append(found.parts, to[part])
			}
		}
		s.spellings[word] = found
	}
}

func renumberMap[K comparable](numbers map[K]feature, to []feature) {
	maps.DeleteFunc(numbers, func(_ K, old feature) bool { return to[old] == absent })
	for key, old := range numbers {
		numbers[key] = to[old]
	}
}

// profile is how texts are read and weighed. It follows the content: what helps
// where an entry has a hundred wordings hurts where it has two.
type profile struct {
	english      bool    // words are read as stems, with the concepts that they may stand for; others as they are
	gramMin      int     // characters of the shortest and
	gramMax      int     // of the longest part of a word
	pairs, skips float32 // what neighbours, and words one to three apart, count beside a word
	concepts     float32 // and what words may stand for
	power        float64 // of the inverse document frequency
	fewest       int     // texts that must have a feature
}

func (p *profile) stemOf(word string) string {
	if p.english {
		return text.Stem(word)
	}
	return word
}

func (p *profile) conceptsOf(stem string) []string {
	if !p.english {
		return nil
	}
	return text.Concepts(stem)
}

// Beyond richTexts texts an entry, a feature that only one text has is noise,
// and frequency says less. With few texts the same pruning costs up to 19 points of
// accuracy.
const richTexts = 20

func chooseProfile(english bool, texts, entries int) profile {
	p := profile{
		english: english,
		gramMin: 3, gramMax: 4,
		pairs: 0.5, skips: 0.5, concepts: 1,
		power: 1, fewest: 1,
	}
	if !english {
		p.gramMin, p.gramMax = 2, 5
	}
	if texts > richTexts*entries {
		p.pairs, p.concepts, p.power, p.fewest = 0.7, 0.7, 0.5, 2
	}
	if entries > mostWithSkips {
		p.skips = 0
	}
	return p
}

// mostWithSkips is the most entries with skips: a word makes up to three of them, nearly
// all of them new.
const mostWithSkips = 2000
