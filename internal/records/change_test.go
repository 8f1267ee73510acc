package records

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/internal/expect"
)

// Instances notice a change together, and it is stored once; the same change at another time is another one.
func (at Options) TestChanges(t *testing.T) {
	one, two := openAt(t, at), openAt(t, at)
	start := time.Now().UTC().Truncate(time.Microsecond)
	noticed := func(from, to string) Change {
		return Change{Source: ByFile, Summary: "Edited: faq.yaml", Diff: "+a\x00\n", From: from, To: to, At: time.Now()}
	}
	var instances sync.WaitGroup
	for range 4 {
		for _, store := range []*Store{one, two} {
			instances.Go(func() {
				number, err := store.AddChange(t.Context(), noticed("a", "b"), start)
				expect.Error(t, "add", err, nil)
				expect.Same(t, "number", 1, number)
			})
		}
	}
	instances.Wait()
	page := noticed("a", "b")
	page.Source, page.Summary, page.Edits, page.Undoes = ByPage, "“When?”: answer", `{"off":["when"]}`, 7
	expect.Same(t, "the number of what was noticed", 1, expect.Value(one.AddChange(t.Context(), page, start))(t))
	page.Number, page.Diff = 1, "+a\uFFFD\n"
	expect.Same(t, "the history", []Change{page}, expect.Value(two.Changes(t.Context(), Page{}))(t),
		cmpopts.IgnoreFields(page, "At"))
	later := time.Now()
	large := noticed("c", "d")
	large.Diff, large.Edits = strings.Repeat("x", MaxDiff+1), `{"values":["<"]}`
	made := func(from, to string) Change {
		made := noticed(from, to)
		made.Source, made.Edits = ByPage, `{"off":["when"],"values":[]}`
		return made
	}
	for _, next := range []struct {
		store  *Store
		change Change
		number int64
	}{
		{one, noticed("b", "a"), 2}, {two, noticed("a", "b"), 3},
		{one, noticed("b", "a"), 2}, // of an instance that was slow
		{two, made("b", "a"), 2},    // a later change is between
		{two, noticed("b", "c"), 4}, {one, large, 5},
		{two, made("x", "d"), 5}, // the other instance had read an earlier revision
	} {
		number := expect.Value(next.store.AddChange(t.Context(), next.change, later))(t)
		expect.Same(t, "the number of "+next.change.From+next.change.To, next.number, number)
	}
	var order []string
	for _, c := range expect.Value(one.Changes(t.Context(), Page{}))(t) {
		order = append(order, c.From+c.To)
	}
	expect.Same(t, "the history", "cd bc ab ba ab", strings.Join(order, " "))
	last := expect.Value(one.Change(t.Context(), 5))(t)
	expect.Same(t, "changes, and the diff of the large one",
		[]any{5, ""}, []any{expect.Value(one.CountChanges(t.Context()))(t), last.Diff})
	expect.Same(t, "edits", []string{`{"off":["when"],"values":[]}`, `{"off":["when"],"values":["<"]}`},
		[]string{expect.Value(one.Change(t.Context(), 2))(t).Edits, strings.TrimSpace(last.Edits)})
	expect.Error(t, "no change", expect.ErrorOf(one.Change(t.Context(), 6)), ErrNotFound)
	expect.Same(t, "Prune within a year", 0, prune(t, one, time.Now().Add(ChangeAge-time.Minute)))
	expect.Same(t, "Prune after a year", 5, prune(t, one, time.Now().Add(ChangeAge)))
}
