package lexical

import (
	"math"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/faq/text"
)

// BM25 (Robertson et al. 1994) over one document an entry: its question, its
// alternates and, where it has few, its answer at a small share.
const (
	saturation    = 2
	lengthShare   = 0.75
	rarityPower   = 1.5
	generalShare  = 0.45 // of general language in how rare a word is
	answerShare   = 0.3
	fewAlternates = 3
	conceptShare  = 0.6 // of a concept beside a word
)

// posting is what a word adds to the score of an entry.
type posting struct {
	entry int32
	score float32
}

// bm25 finds entries by their words.
type bm25 struct {
	space    *space // for how words are read, and for general language
	stems    map[string]int32
	postings [][]posting // by stem
	rarity   []float32   // by stem
	entries  int
	average  float32 // length of an entry
}

func newBM25(entries []content.Entry, s *space) *bm25 {
	b := &bm25{space: s, stems: map[string]int32{}, entries: len(entries)}
	bags := make([]bag, len(entries))
	for i := range entries {
		e := &entries[i]
		bags[i].counts = map[int32]float32{}
		b.count(&bags[i], e.Question, 1)
		for _, alternate := range e.Alternates {
			b.count(&bags[i], alternate, 1)
		}
		if len(e.Alternates) < fewAlternates {
			b.count(&bags[i], e.Answer, answerShare)
		}
	}
	b.post(bags)
	return b
}

type bag struct {
	order  []int32 // each stem once, so that sums never vary
	counts map[int32]float32
	length float32
}

func (b *bm25) count(g *bag, s string, share float32) {
	for _, word := range text.AppendWords(nil, s) {
		stem := b.space.stemOf(word)
		g.add(b.number(stem), share)
		g.length += share
		for _, concept := range b.space.conceptsOf(stem) {
			g.add(b.number(concept), share)
		}
	}
}

func (g *bag) add(number int32, share float32) {
	if _, counted := g.counts[number]; !counted {
		g.order = append(g.order, number)
	}
	g.counts[number] += share
}

// number gives the number of a stem or a concept of the content.
func (b *bm25) number(stem string) int32 {
	number, known := b.stems[stem]
	if !known {
		number = int32(len(b.stems))
		b.stems[stem] = number
	}
	return number
}

func (b *bm25) post(bags []bag) {
	var total float32
	having := make([]float64, len(b.stems))
	for i := range bags {
		total += bags[i].length
		for _, stem := range bags[i].order {
			having[stem]++
		}
	}
	b.rarity = make([]float32, len(b.stems))
	for stem, number := range b.stems {
		b.rarity[number] = b.rare(stem, having[number])
	}
	b.average = max(total, 1) / float32(max(len(bags), 1))
	b.postings = make([][]posting, len(b.stems))
	for i := range bags {
		norm := saturation * (1 - lengthShare + lengthShare*bags[i].length/b.average)
		for _, stem := range bags[i].order {
			count := bags[i].counts[stem]
			score := b.rarity[stem] * count * (saturation + 1) / (count + norm)
			b.postings[stem] = append(b.postings[stem], posting{int32(i), score})
		}
	}
}

// rare is the weight of a stem that so many entries have.
func (b *bm25) rare(stem string, having float64) float32 {
	entries := float64(b.entries)
	rarity := math.Log(1 + (entries-having+0.5)/(having+0.5))
	if general := b.space.background; general.texts > 0 && !strings.HasPrefix(stem, text.ConceptMark) {
		rarity = (1-generalShare)*rarity + generalShare*math.Log((general.texts+1)/(float64(general.stems[stem])+1))
	}
	return float32(math.Pow(rarity, rarityPower))
}

// In large content a word that many entries have costs much to follow and says
// nothing beside a rarer one.
const (
	largeContent = 2000 // entries
	commonShare  = 0.1  // of the entries
)

// score adds the score of each entry, and returns what an entry that consists of the question's
// words would get.
func (b *bm25) score(words []string, scores []float32) (own float32) {
	if b.entries > largeContent {
		most := int(commonShare * float64(b.entries))
		if own, followed := b.follow(words, scores, most); followed {
			return own
		}
	}
	own, _ = b.follow(words, scores, b.entries)
	return own
}

// perfect is what a word counts in an entry that has nothing else.
const perfect = (saturation + 1) / 2.0

// follow adds what the words and concepts that at most so many entries have say, and
// reports whether there were any.
func (b *bm25) follow(words []string, scores []float32, most int) (own float32, followed bool) {
	add := func(number int32, share float32) {
		if postings := b.postings[number]; len(postings) <= most {
			followed = true
			for _, p := range postings {
				scores[p.entry] += share * p.score
			}
		}
	}
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			continue
		}
		stem := b.space.stemOf(word)
		for _, concept := range b.space.conceptsOf(stem) {
			if number, known := b.stems[concept]; known {
				add(number, conceptShare)
			}
		}
		if number, known := b.stems[stem]; known {
			own += b.rarity[number] * perfect
			add(number, 1)
		} else {
			own += b.rare(stem, 0) * perfect
		}
	}
	return own, followed
}
