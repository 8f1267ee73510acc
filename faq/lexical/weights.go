package lexical

import (
	"math"

	"frontdesk/faq/text"
)

// weigh drops the features that too few texts have and weighs the others. It gives
// the new number of each feature, or absent.
func (s *space) weigh(counts []int32, texts int) []feature {
	general := s.background.counts(s)
	s.texts = float64(texts) + s.profile.background*s.background.size()
	renumbered := make([]feature, len(counts))
	kept := 0
	for old, count := range counts {
		having := float64(count)
		if general != nil {
			having += s.profile.background * float64(general[old])
		}
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
	return renumbered
}

// everyday is the share of texts of general language from which a word says nothing
// about their subject.
const everyday = 0.01

func (s *space) markSubjects() {
	s.subject = make([]bool, len(s.kind))
	for stem, f := range s.stems {
		s.subject[f] = !s.english || !text.IsFunctionWord(stem) && s.background.count(stem) <= everyday*s.background.size()
	}
}

// inverse is the weight of a feature that so many texts have.
func (s *space) inverse(having float64) float32 {
	return float32(math.Pow(math.Log((1+s.texts)/(1+having))+1, s.power))
}

func (s *space) renumber(to []feature) {
	renumberMap(s.stems, to)
	renumberMap(s.pairs, to)
	renumberMap(s.skips, to)
	renumberMap(s.grams, to)
	renumberMap(s.concepts, to)
	// The keys of pairs and skips are stems by their old numbers.
	s.pairs, s.skips = rekey(s.pairs, to), rekey(s.skips, to)
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
	for key, old := range numbers {
		if to[old] == absent {
			delete(numbers, key)
			continue
		}
		numbers[key] = to[old]
	}
}

// Marks of the ends of a text, in the place of a stem.
const (
	textStart feature = -2
	textEnd   feature = -3
)

func rekey(numbers map[[2]feature]feature, to []feature) map[[2]feature]feature {
	renumbered := make(map[[2]feature]feature, len(numbers))
	for key, number := range numbers {
		for i, stem := range key {
			if stem >= 0 {
				key[i] = to[stem]
			}
		}
		renumbered[key] = number
	}
	return renumbered
}
