package records

import (
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
)

func draft(n int) Workspace {
	return Workspace{
		ID: NewWorkspaceID(), State: contract.StateDraft,
		Business: "Ada's 'Café'", Email: "ada@example.com", Name: "Ada 🙂", Segment: "retail",
		CreatedAt: time.Date(2026, 11, 21, 9, 0, n, 123456000, time.UTC),
	}
}

func (at Options) TestWorkspaces(t *testing.T) {
	store := openAt(t, at)
	if got, err := store.Workspaces(t.Context()); err != nil || got == nil || len(got) != 0 {
		t.Fatalf("of an empty store: %v, %v; want an empty list", got, err)
	}
	older, newer := draft(1), draft(2)
	newer.Name, newer.Segment = "", ""
	for _, w := range []Workspace{newer, older} {
		must(t, store.AddWorkspace(t.Context(), w))
	}
	got, err := openAt(t, at).Workspaces(t.Context()) // another program sees them
	must(t, err)
	if diff := cmp.Diff([]Workspace{newer, older}, got); diff != "" {
		t.Errorf("newest first (-want +got):\n%s", diff)
	}
}

func (at Options) TestAddWorkspaceRefuses(t *testing.T) {
	store := openAt(t, at)
	first := draft(1)
	must(t, store.AddWorkspace(t.Context(), first))
	live := draft(2)
	live.State = "live"
	for name, w := range map[string]Workspace{"an id twice": first, "a state of its own": live} {
		if err := store.AddWorkspace(t.Context(), w); err == nil {
			t.Errorf("%s is stored", name)
		}
	}
}

func TestNewWorkspaceID(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^wsp_[a-z2-7]{26}$`)
	if one, other := NewWorkspaceID(), NewWorkspaceID(); !form.MatchString(one) || one == other {
		t.Errorf("ids %q and %q", one, other)
	}
}
