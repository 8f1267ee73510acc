package gaps

import (
	"cmp"
	"context"
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

// Groups puts questions together, the most asked first. Questions come in the order of
// their numbers. The error is that of ctx, when it ends before they are grouped.
func Groups(ctx context.Context, questions []records.Question) ([]Group, error) {
	return GroupsWithProgress(ctx, questions, func(int, int) {})
}

// progressStep is after how many questions the progress is reported.
const progressStep = 1000

// GroupsWithProgress is Groups that reports now and then how many of all questions are
// grouped.
func GroupsWithProgress(ctx context.Context, questions []records.Question, report func(done, all int)) ([]Group, error) {
	g := grouping{groups: []Group{}, holding: map[trigram][]int32{}, rarity: make(rarity, rarityCells)}
	for i, q := range questions {
		if i%progressStep == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		g.rarity.add(readWording(q.Q).trigrams)
	}
	for i, q := range questions {
		if i%progressStep == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			report(i, len(questions))
		}
		g.place(q)
	}
	report(len(questions), len(questions))
	slices.SortStableFunc(g.groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return g.groups, nil
}

// grouping is groups in the making. A question is compared with the groups that share its
// rarest trigrams: two questions as alike as [alikeQuestions] share one of a known number of
// these (prefix filtering: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for Similarity
// Joins in Data Cleaning", ICDE 2006). Bounds on what is looked at for one question keep
// the whole near linear, whatever callers ask: questions that only fill in a template
// share all trigrams but the rarest ones, which are looked at first.
type grouping struct {
	groups  []Group
	firsts  []wording           // by group, of its first question
	holding map[trigram][]int32 // the groups that have a trigram among their rarest
	rarity  rarity
	common  []int32 // by group: rare trigrams shared with a question; all 0 between two
	touched []int32 // the groups that share any with it
	alike   []alike // the groups that are alike to it
}

// Bounds of the work for one question.
const (
	maxHolders    = 2000 // entries of holding
	maxCandidates = 128  // groups whose likeness is computed, those that share most first
	maxSubjects   = 64   // of these, groups whose words are compared, the most alike first
)

// place puts a question into the group that it is most alike, or into a new one.
func (g *grouping) place(q records.Question) {
	w := readWording(q.Q)
	rare := g.rarest(w.trigrams)
	if at := g.closest(w, rare); at >= 0 {
		g.groups[at].add(q)
		return
	}
	for _, t := range rare {
		if holders := g.holding[t]; len(holders) < maxHolders { // more are never looked at
			g.holding[t] = append(holders, int32(len(g.groups)))
		}
	}
	g.groups = append(g.groups, Group{Question: q, Count: q.Unanswered + q.Unhelpful, Like: []string{}, Numbers: []int64{q.Number}})
	g.firsts, g.common = append(g.firsts, w), append(g.common, 0)
}

// rarest are as many of a question's rarest trigrams, rarest first, as are needed so that
// every question that is alike has one of them among its own. Of n trigrams, a question of
// m shares c with 2c/(n+m) ≥ alikeQuestions and c ≤ m, so c ≥ n × alikeQuestions/(2 −
// alikeQuestions): leaving out that many less one misses no such question.
func (g *grouping) rarest(trigrams []trigram) []trigram {
	sorted := slices.Clone(trigrams)
	slices.SortFunc(sorted, func(a, b trigram) int {
		return cmp.Or(cmp.Compare(g.rarity.of(a), g.rarity.of(b)), cmp.Compare(a, b))
	})
	shared := int(float64(len(sorted)) * alikeQuestions / (2 - alikeQuestions))
	return sorted[:len(sorted)-max(0, shared-1)]
}

// closest is the first of the groups that a question is most alike, or -1.
func (g *grouping) closest(w wording, rare []trigram) int {
	left := maxHolders
	for _, t := range rare {
		holders := g.holding[t]
		holders = holders[:min(len(holders), left)]
		left -= len(holders)
		for _, group := range holders {
			if g.common[group] == 0 {
				g.touched = append(g.touched, group)
			}
			g.common[group]++
		}
	}
	g.alike = g.alike[:0]
	for _, group := range g.candidates() {
		if like := likeness(w.trigrams, g.firsts[group].trigrams); like >= alikeQuestions {
			g.alike = append(g.alike, alike{group, like})
		}
	}
	for _, group := range g.touched {
		g.common[group] = 0
	}
	g.touched = g.touched[:0]
	slices.SortFunc(g.alike, func(a, b alike) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.group, b.group)) // of equals the first
	})
	for _, a := range g.alike[:min(len(g.alike), maxSubjects)] {
		if !hasOtherSubject(w, g.firsts[a.group]) {
			return int(a.group)
		}
	}
	return -1
}

// alike is a group that is as alike to a question as those of one group must be.
type alike struct {
	group    int32
	likeness float64
}

// candidates are the touched groups that share most with a question.
func (g *grouping) candidates() []int32 {
	if len(g.touched) <= maxCandidates {
		return g.touched
	}
	var sharing [maxShared + 1]int // how many groups share so many trigrams
	for _, group := range g.touched {
		sharing[min(g.common[group], maxShared)]++
	}
	least, more := int32(maxShared), 0 // more groups share more than least
	for more+sharing[least] < maxCandidates {
		more += sharing[least]
		least--
	}
	equal := maxCandidates - more // the first of those that share least
	return slices.DeleteFunc(slices.Clone(g.touched), func(group int32) bool {
		common := min(g.common[group], maxShared)
		if common == least {
			equal--
			return equal < 0
		}
		return common < least
	})
}

// maxShared is from how many shared trigrams on groups count as equal candidates.
const maxShared = 64

// rarity counts trigrams in cells, of which several trigrams may share one: it takes the
// same memory for any number of questions, and any order of trigrams would do.
type rarity []uint32

const rarityCells = 1 << 16

func (r rarity) cell(t trigram) *uint32 {
	const golden = 0x9E3779B97F4A7C15 // Fibonacci hashing
	return &r[(uint64(t)*golden)>>(64-16)]
}

func (r rarity) add(trigrams []trigram) {
	for _, t := range trigrams {
		*r.cell(t)++
	}
}

func (r rarity) of(t trigram) uint32 { return *r.cell(t) }

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
