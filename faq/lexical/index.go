package lexical

import (
	"math"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/faq/text"
)

// Selector chooses the entry whose approved text answers a question. It never changes, and is safe for concurrent use.
//
// Words are compared as stems in English content, and as they are in other content. Parts of words find what is
// inflected, compounded or mistyped.
type Selector struct {
	know    *Knowledge
	entries []content.Entry
	english bool
	stems   map[string]*feature
	parts   map[string]*feature
	owners  []int     // by wording: its entry, or NoEntry
	owned   []float64 // by entry: how many wordings it has
}

// feature is a stem, or a part of words, that occurs in the content.
type feature struct {
	weight   float64
	bag      []posting // the entries that have the stem
	wordings []posting // the wordings that have the feature
}

// posting is the weight of a feature in the entry or wording at a place.
type posting struct {
	place int
	value float64
}

// NoEntry is the entry of a question that no entry answers.
const NoEntry = -1

// New makes the selector of the entries. unanswered are the questions that the owner wants unanswered, and know is what
// the selector knows besides the content.
func New(entries []content.Entry, unanswered []string, know *Knowledge) *Selector {
	x := &Selector{know: know, entries: entries, stems: map[string]*feature{}, parts: map[string]*feature{}}
	var all []string // words
	for i := range entries {
		all = text.AppendWords(all, strings.Join(entries[i].Texts(), "\n"))
	}
	x.english = text.IsEnglish(all)
	for _, question := range unanswered {
		all = text.AppendWords(all, question)
	}
	for _, word := range all {
		if stem := x.stemOf(word); x.stems[stem] == nil {
			x.stems[stem] = new(feature)
		}
	}
	x.fillBags()
	x.fillWordings(unanswered)
	return x
}

func (x *Selector) stemOf(word string) string {
	if x.english {
		return text.Stem(word)
	}
	return word
}

// BM25 (Robertson et al. 1994) reads each entry as one document: its wordings and, with less weight, its answer.
const (
	saturation   = 2
	lengthShare  = 0.75
	answerShare  = 0.3
	rarityPower  = 1.5
	generalShare = 0.45 // weight of general language in the rarity of a word
)

// perfect is the weight of a word in an entry that has only this word.
const perfect = (saturation + 1) / 2.0

func (x *Selector) fillBags() {
	lengths, total := make([]float64, len(x.entries)), 1.0
	for i := range x.entries {
		count := func(s string, share float64) {
			for _, word := range text.AppendWords(nil, s) {
				stem := x.stems[x.stemOf(word)]
				if n := len(stem.bag); n == 0 || stem.bag[n-1].place != i {
					stem.bag = append(stem.bag, posting{place: i})
				}
				stem.bag[len(stem.bag)-1].value += share
				lengths[i] += share
			}
		}
		for _, wording := range x.entries[i].Wordings() {
			count(wording, 1)
		}
		count(x.entries[i].Answer, answerShare)
		total += lengths[i]
	}
	for stem, f := range x.stems {
		f.weight = x.rarity(stem, len(f.bag))
		for i := range f.bag {
			p := &f.bag[i]
			norm := saturation * (1 - lengthShare + lengthShare*lengths[p.place]*float64(len(x.entries))/total)
			p.value *= f.weight * (saturation + 1) / (p.value + norm)
		}
	}
}

// rarity returns the weight of a stem that occurs in having entries.
func (x *Selector) rarity(stem string, having int) float64 {
	n, all := float64(having), float64(len(x.entries))
	rarity := math.Log(1 + (all-n+0.5)/(n+0.5))
	if x.english { // the counts say nothing about another language
		general := x.know.Background
		rarity = (1-generalShare)*rarity + generalShare*math.Log((general.texts+1)/(general.stems[stem]+1))
	}
	return math.Pow(rarity, rarityPower)
}

func (x *Selector) fillWordings(unanswered []string) {
	var all []string
	for i := range x.entries {
		wordings := x.entries[i].Wordings()
		all, x.owned = append(all, wordings...), append(x.owned, float64(len(wordings)))
		x.owners = append(x.owners, slices.Repeat([]int{i}, len(wordings))...)
	}
	for _, question := range unanswered {
		all, x.owners = append(all, question), append(x.owners, NoEntry)
	}
	having := map[string]int{} // by part: the wordings that have it
	for _, wording := range all {
		for _, part := range x.read(wording).parts {
			having[part]++
		}
	}
	for part, n := range having {
		x.parts[part] = &feature{weight: x.partRarity(n), wordings: make([]posting, 0, n)}
	}
	for place, wording := range all {
		for _, f := range x.vector(x.read(wording)) {
			f.wordings = append(f.wordings, posting{place, f.value})
		}
	}
}

// partRarity returns the weight of a part of words that occurs in having wordings.
func (x *Selector) partRarity(having int) float64 {
	return math.Log(1 + float64(len(x.owners))/(float64(having)+0.5))
}

// query holds the stems of a text and the parts of its words, each once.
type query struct{ stems, parts []string }

func (x *Selector) read(s string) (q query) {
	for _, word := range text.AppendWords(nil, s) {
		q.stems = append(q.stems, x.stemOf(word))
		for n := shortestPart; n <= longestPart; n++ {
			q.parts = text.AppendGrams(q.parts, " "+word+" ", n) // the spaces mark its ends
		}
	}
	slices.Sort(q.stems)
	slices.Sort(q.parts)
	return query{slices.Compact(q.stems), slices.Compact(q.parts)}
}

// Lengths of the parts of a word, in characters.
const shortestPart, longestPart = 3, 4

// component is a feature of a text with its weight there.
type component struct {
	*feature
	value float64
}

// vector returns the stems and parts of q that occur in the content. Stems and parts count half each. Those that do
// not occur still count toward the length, so that a partial match is not mistaken for a full one.
func (x *Selector) vector(q query) (vector []component) {
	add := func(keys []string, known map[string]*feature, unknown func(key string) float64) {
		first, square := len(vector), 0.0
		for _, key := range keys {
			var weight float64
			if f := known[key]; f != nil {
				weight = f.weight
				vector = append(vector, component{f, weight})
			} else {
				weight = unknown(key)
			}
			square += weight * weight
		}
		for i := range vector[first:] {
			vector[first+i].value /= math.Sqrt(2 * square)
		}
	}
	add(q.stems, x.stems, func(stem string) float64 { return x.rarity(stem, 0) })
	add(q.parts, x.parts, func(string) float64 { return x.partRarity(0) })
	return vector
}
