package gaps

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/internal/records"
)

// Group is questions that are nearly the same, under the one that was asked first:
// its number stays the group's, so that a list that was printed stays true.
type Group struct {
	records.Question          // of the first; the counts are the whole group's
	Count            int      `json:"count"` // of times asked in vain
	Like             []string `json:"like"`  // the other wordings; never nil
	Numbers          []int64  `json:"-"`     // of all its questions
}

// Groups puts questions together, the most asked first. Questions come in the order
// of their numbers. The error is that of ctx, when it ends before they are grouped.
func Groups(ctx context.Context, questions []records.Question) ([]Group, error) {
	g := grouping{groups: []Group{}, holding: map[trigram][]int{}}
	for _, q := range questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.place(q)
	}
	slices.SortStableFunc(g.groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return g.groups, nil
}

// grouping is groups in the making.
type grouping struct {
	groups  []Group
	firsts  []wording         // by group, of its first question
	holding map[trigram][]int // the groups whose first question has a trigram
	common  []int             // by group: trigrams shared with a question; all 0 between two
	touched []int             // the groups that share any with it
}

// place puts a question into the group that it is most alike, or into a new one.
func (g *grouping) place(q records.Question) {
	w := readWording(q.Q)
	if at := g.closest(w); at >= 0 {
		g.groups[at].add(q)
		return
	}
	for _, t := range w.trigrams {
		g.holding[t] = append(g.holding[t], len(g.groups))
	}
	g.groups = append(g.groups, Group{Question: q, Count: q.Unanswered + q.Unhelpful, Like: []string{}, Numbers: []int64{q.Number}})
	g.firsts, g.common = append(g.firsts, w), append(g.common, 0)
}

// closest is the first of the groups that a question is most alike, or -1.
func (g *grouping) closest(w wording) int {
	for _, t := range w.trigrams {
		for _, group := range g.holding[t] {
			if g.common[group] == 0 {
				g.touched = append(g.touched, group)
			}
			g.common[group]++
		}
	}
	slices.Sort(g.touched) // of groups that are equally alike the first counts
	best, bestLikeness := -1, 0.0
	for _, group := range g.touched {
		likeness := dice(g.common[group], len(w.trigrams), len(g.firsts[group].trigrams))
		if likeness >= alikeQuestions && likeness > bestLikeness && !hasOtherSubject(w, g.firsts[group]) {
			best, bestLikeness = group, likeness
		}
	}
	for _, group := range g.touched {
		g.common[group] = 0
	}
	g.touched = g.touched[:0]
	return best
}

func (g *Group) add(q records.Question) {
	g.Unanswered += q.Unanswered
	g.Unhelpful += q.Unhelpful
	g.Count += q.Unanswered + q.Unhelpful
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
