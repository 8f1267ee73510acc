package records

import (
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// Instances that share the content notice a change together, and it is stored
// once. The same change at another time is another one.
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
				if err := store.AddChange(t.Context(), noticed("a", "b"), start); err != nil {
					t.Error(err)
				}
			})
		}
	}
	instances.Wait()
	page := noticed("a", "b")
	page.Source, page.Summary, page.Undoes = ByPage, "“When?”: answer", 7
	expect.OK(t, one.AddChange(t.Context(), page, start))
	list := expect.Value(two.Changes(t.Context(), Page{}))(t)
	if len(list) != 1 || list[0].Number != 1 || list[0].Source != ByPage || list[0].Summary != page.Summary || list[0].Undoes != 7 || list[0].Diff != "+a\uFFFD\n" {
		t.Fatalf("the history is %+v", list)
	}
	later := time.Now()
	expect.OK(t, one.AddChange(t.Context(), noticed("b", "a"), later), two.AddChange(t.Context(), noticed("a", "b"), later),
		one.AddChange(t.Context(), noticed("b", "a"), later), // of an instance that was slow
		two.AddChange(t.Context(), noticed("b", "c"), later))
	large := noticed("c", "d")
	large.Diff = strings.Repeat("x", MaxDiff+1)
	expect.OK(t, one.AddChange(t.Context(), large, later))
	var order []string
	for _, c := range expect.Value(one.Changes(t.Context(), Page{}))(t) {
		order = append(order, c.From+c.To)
	}
	expect.Same(t, "the history", "cd bc ab ba ab", strings.Join(order, " "))
	last := expect.Value(one.Change(t.Context(), 5))(t)
	if n, err := one.CountChanges(t.Context()); n != 5 || err != nil || last.Diff != "" {
		t.Errorf("%d changes, %v; the large one has a diff of %d bytes", n, err, len(last.Diff))
	}
	expect.Error(t, "no change", expect.ErrorOf(one.Change(t.Context(), 6)), ErrNotFound)
	deleted, err := one.Prune(t.Context(), Retention{}, time.Now().Add(ChangeAge-time.Minute))
	if n, counted := one.CountChanges(t.Context()); err != nil || counted != nil || deleted != 0 || n != 5 {
		t.Errorf("Prune within a year = %d, %v; left are %d, %v", deleted, err, n, counted)
	}
	deleted, err = one.Prune(t.Context(), Retention{}, time.Now().Add(ChangeAge))
	if err != nil || deleted != 5 {
		t.Errorf("Prune after a year = %d, %v", deleted, err)
	}
}
