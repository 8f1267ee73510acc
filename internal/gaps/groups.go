package gaps

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/records"
)

// Group is questions that are nearly the same, under the one that was asked first: its
// number stays the group's, so that a list that was printed stays true.
type Group struct {
	records.Question          // of the first; the counts are the whole group's
	Count            int      `json:"count"` // of times asked in vain
	Like             []string `json:"like"`  // the other wordings; never nil
	Numbers          []int64  `json:"-"`     // of all its questions
}

// maxCompared is how many questions, those that were asked most, are compared with each
// other. Others are groups of their own.
const maxCompared = 500

// Grouper groups questions and remembers which of them are alike, so that grouping them
// again takes only the comparisons with new ones. The zero value is ready to use.
type Grouper struct {
	compared map[int64]*compared // by number
}

// compared is a question that was compared with the others in its Grouper.
type compared struct {
	wording
	q     string
	alike map[int64]float64 // how much it is like those that belong to it, by number
}

// Groups puts questions together, the most asked first. Questions come in the order of
// their numbers.
func (g *Grouper) Groups(questions []records.Question) []Group {
	g.compare(questions)
	groups := make([]Group, 0, len(questions))
	firsts := map[int64]int{} // places in groups, by number
	for i := range questions {
		q := &questions[i]
		if known := g.compared[q.Number]; known != nil {
			if at := known.closest(firsts); at >= 0 {
				groups[at].add(q)
				continue
			}
			firsts[q.Number] = len(groups)
		}
		groups = append(groups, Group{Question: *q, Count: asked(q), Like: []string{}, Numbers: []int64{q.Number}})
	}
	sorted := make([]Group, len(groups))
	for i, at := range byCount(len(groups), func(i int) int { return groups[i].Count }) {
		sorted[i] = groups[at]
	}
	return sorted
}

// compare makes the questions that are asked most those that are compared.
func (g *Grouper) compare(questions []records.Question) {
	most := byCount(len(questions), func(i int) int { return asked(&questions[i]) })
	most = most[:min(len(most), maxCompared)]
	before := g.compared
	g.compared = make(map[int64]*compared, len(most))
	var added []*records.Question
	for _, i := range most {
		q := &questions[i]
		if known := before[q.Number]; known != nil && known.q == q.Q {
			g.compared[q.Number] = known
		} else {
			added = append(added, q)
		}
	}
	for _, q := range added {
		one := &compared{readWording(q.Q), q.Q, map[int64]float64{}}
		for number, other := range g.compared {
			if like := likeness(one.trigrams, other.trigrams); like >= alikeQuestions && !hasOtherSubject(one.wording, other.wording) {
				one.alike[number], other.alike[q.Number] = like, like
			} else {
				delete(other.alike, q.Number) // of another question that had the number
			}
		}
		g.compared[q.Number] = one
	}
}

// closest is the place of the group whose first question it is most like, or -1; of several
// that are as like, the first place.
func (c *compared) closest(firsts map[int64]int) int {
	group, most := -1, 0.0
	for number, like := range c.alike {
		if at, isFirst := firsts[number]; isFirst && (like > most || like == most && at < group) {
			group, most = at, like
		}
	}
	return group
}

// byCount are the numbers below n, those with the highest counts first.
func byCount(n int, count func(i int) int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(count(b), count(a)) })
	return places
}

// asked is how often a question was asked in vain.
func asked(q *records.Question) int { return q.Unanswered + q.Unhelpful }

func (g *Group) add(q *records.Question) {
	g.Unanswered += q.Unanswered
	g.Unhelpful += q.Unhelpful
	g.Count += asked(q)
	g.EntryID = cmp.Or(g.EntryID, q.EntryID)
	if q.LastAt.After(g.LastAt) {
		g.LastAt = q.LastAt
	}
	g.Like = append(g.Like, q.Q)
	g.Numbers = append(g.Numbers, q.Number)
}

// Find is the group that a number belongs to.
func Find(groups []Group, number int64) (Group, bool) {
	at := slices.IndexFunc(groups, func(g Group) bool { return slices.Contains(g.Numbers, number) })
	if at < 0 {
		return Group{}, false
	}
	return groups[at], true
}

// wording is a question as it is compared with others.
type wording struct {
	words    []word
	trigrams []trigram
}

// word is a word of a question with its trigrams.
type word struct {
	text     string
	trigrams []trigram
}

// trigram is three characters in a row, 21 bits each.
type trigram uint64

func readWording(question string) wording {
	key := content.QuestionKey(question)
	var words []word
	for text := range strings.FieldsSeq(key) {
		words = append(words, word{text, trigramsOf(text)})
	}
	return wording{words: words, trigrams: trigramsOf(key)}
}

// trigramsOf are the trigrams of a text, sorted, each once.
func trigramsOf(text string) []trigram {
	const bits = 21 // of a character
	trigrams := make([]trigram, 0, len(text)+2)
	last := trigram(' ')<<bits | ' '
	for _, r := range text + " " {
		last = (last<<bits | trigram(r)) & (1<<(3*bits) - 1)
		trigrams = append(trigrams, last)
	}
	slices.Sort(trigrams)
	return slices.Compact(trigrams)
}

// Bounds of likeness, as Dice's coefficient of trigrams.
const (
	alikeQuestions = 0.7
	alikeWords     = 0.4 // two forms of a word, or a word and its misspelling
)

// likeness is Dice's coefficient of two sorted sets: how much they have in common, from 0
// to 1.
func likeness(a, b []trigram) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return float64(2*common) / float64(len(a)+len(b))
}

// hasOtherSubject reports whether each of two wordings has a word that the other lacks in
// any form: "my dog" is not "my car", however alike the rest is. One more word on only one
// side is no other subject.
func hasOtherSubject(a, b wording) bool { return hasOwn(a.words, b.words) && hasOwn(b.words, a.words) }

// hasOwn reports whether words have one that others lack in any form. A word that both have is no form of another.
func hasOwn(words, others []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return !has(others, w) && !slices.ContainsFunc(others, func(other word) bool {
			return !has(words, other) && likeness(w.trigrams, other.trigrams) >= alikeWords
		})
	})
}

// has reports whether a word is among words.
func has(words []word, w word) bool {
	return slices.ContainsFunc(words, func(one word) bool { return one.text == w.text })
}
