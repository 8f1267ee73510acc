package gaps

import (
	"cmp"
	"slices"

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

// Groups puts questions together, the most asked first. Questions come in the order of
// their numbers.
func Groups(questions []records.Question) []Group {
	most := slices.Clone(questions)
	slices.SortStableFunc(most, func(a, b records.Question) int { return cmp.Compare(asked(b), asked(a)) })
	compared := map[int64]bool{}
	for _, q := range most[:min(len(most), maxCompared)] {
		compared[q.Number] = true
	}
	groups := make([]Group, 0, len(questions))
	var firsts []first
	for _, q := range questions {
		var w wording
		if compared[q.Number] {
			w = readWording(q.Q)
			if at := closest(w, firsts); at >= 0 {
				groups[at].add(q)
				continue
			}
			firsts = append(firsts, first{w, len(groups)})
		}
		groups = append(groups, Group{Question: q, Count: asked(q), Like: []string{}, Numbers: []int64{q.Number}})
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return groups
}

// asked is how often a question was asked in vain.
func asked(q records.Question) int { return q.Unanswered + q.Unhelpful }

// first is the first question of a group.
type first struct {
	wording
	group int
}

// closest is the first of the groups that a question is most alike, or -1.
func closest(w wording, firsts []first) int {
	group, most := -1, 0.0
	for _, f := range firsts {
		if like := likeness(w.trigrams, f.trigrams); like >= alikeQuestions && like > most && !hasOtherSubject(w, f.wording) {
			group, most = f.group, like
		}
	}
	return group
}

func (g *Group) add(q records.Question) {
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
