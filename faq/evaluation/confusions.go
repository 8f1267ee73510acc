package evaluation

import (
	"cmp"
	"slices"
)

// Confusion is an entry that came first for questions of another, or of none.
type Confusion struct {
	Want    *string `json:"id"`       // null if none does
	Got     string  `json:"answered"` // the entry that came first
	Count   int     `json:"count"`    // of such questions
	Served  int     `json:"served"`   // of them, those that were answered with it
	Example string  `json:"example"`  // the surest of them

	surest float64
}

const maxConfusions = 20

// confusions gives the worst: most wrong answers served, then most wrong rankings.
// Questions out of scope are no confusion unless they were answered.
func confusions(results []Result) []*Confusion {
	found := map[[2]string]*Confusion{}
	all := []*Confusion{}
	for _, r := range results {
		if len(r.Best) == 0 || r.Right() || r.Want == "" && !r.Answered {
			continue
		}
		key := [2]string{r.Want, r.Best[0]}
		c := found[key]
		if c == nil {
			c = &Confusion{Got: r.Best[0]}
			if r.Want != "" {
				c.Want = &r.Want
			}
			found[key], all = c, append(all, c)
		}
		c.Count++
		c.Served += one(r.Answered)
		if c.Example == "" || r.Confidence > c.surest {
			c.Example, c.surest = r.Q, r.Confidence
		}
	}
	slices.SortStableFunc(all, func(a, b *Confusion) int {
		return cmp.Or(cmp.Compare(b.Served, a.Served), cmp.Compare(b.Count, a.Count))
	})
	return all[:min(len(all), maxConfusions)]
}
