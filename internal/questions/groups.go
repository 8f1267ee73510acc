package questions

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/records"
)

// Group holds questions that are nearly the same, under the one that was asked first. The group
// keeps its number, so printed lists stay valid.
type Group struct {
	records.Question          // the first; the counts are the whole group's
	Count            int      `json:"count"` // how often it was asked in vain
	Like             []string `json:"like"`  // the other wordings; never nil
	Numbers          []int64  `json:"-"`     // the numbers of all its questions
	Keys             []string `json:"-"`     // and their keys
}

// maxCompared is how many questions, the most asked, are compared with each other. Each of the
// others is a group of its own.
const maxCompared = 500

// Groups groups questions, which are in the order of their numbers. The most asked group is
// the first.
func Groups(questions []records.Question) []Group {
	most := slices.SortedStableFunc(slices.Values(questions), func(a, b records.Question) int {
		return cmp.Compare(asked(&b), asked(&a))
	})
	isCompared := map[int64]bool{} // by number
	for _, q := range most[:min(len(most), maxCompared)] {
		isCompared[q.Number] = true
	}
	groups := make([]Group, 0, len(questions))
	var firsts []first
	for i := range questions {
		q := &questions[i]
		if isCompared[q.Number] {
			own := readWording(q.Q)
			if at := own.closest(firsts); at >= 0 {
				groups[at].add(q)
				continue
			}
			firsts = append(firsts, first{own, len(groups)})
		}
		groups = append(groups, Group{Question: *q, Count: asked(q), Like: []string{}, Numbers: []int64{q.Number},
			Keys: []string{q.Key}})
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Number, b.Number))
	})
	return groups
}

// first is the first question of a group, which others are compared with.
type first struct {
	wording
	group int // index of the group
}

// closest returns the index of the group whose first question is most similar to w, or -1.
func (w wording) closest(firsts []first) int {
	group, most := -1, 0.0
	for _, f := range firsts {
		similar := similarity(w.trigrams, f.trigrams)
		if similar >= similarQuestions && similar > most && !hasOtherSubject(w, f.wording) {
			group, most = f.group, similar
		}
	}
	return group
}

// asked returns how often a question got no helpful answer.
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
	g.Keys = append(g.Keys, q.Key)
}

// wording is a question in a form that can be compared.
type wording struct {
	words    []string
	trigrams []trigram
}

// trigram is three characters in a row, 21 bits each.
type trigram uint64

func readWording(question string) wording {
	key := content.QuestionKey(question)
	return wording{strings.Fields(key), trigramsOf(key)}
}

// trigramsOf returns the trigrams of a text, sorted, each once.
func trigramsOf(text string) []trigram {
	const bits = 21 // per character
	trigrams := make([]trigram, 0, len(text)+2)
	last := trigram(' ')<<bits | ' '
	for _, r := range text + " " {
		last = (last<<bits | trigram(r)) & (1<<(3*bits) - 1)
		trigrams = append(trigrams, last)
	}
	slices.Sort(trigrams)
	return slices.Compact(trigrams)
}

// Bounds of similarity.
const (
	similarQuestions = 0.7
	similarWords     = 0.4 // two forms of a word, or a word and its misspelling
)

// similarity returns Dice's coefficient of two sorted sets: how much they have in common, from
// 0 to 1.
func similarity(a, b []trigram) float64 {
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
// any form: "my dog" is not "my car", however similar the rest is. An additional word on only
// one side is not another subject.
func hasOtherSubject(a, b wording) bool { return hasOwn(a.words, b.words) && hasOwn(b.words, a.words) }

// hasOwn reports whether words have one that others lack in any form. A word that both have is
// not a form of another.
func hasOwn(words, others []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return !slices.Contains(others, w) && !slices.ContainsFunc(others, func(other string) bool {
			return !slices.Contains(words, other) && similarity(trigramsOf(w), trigramsOf(other)) >= similarWords
		})
	})
}
