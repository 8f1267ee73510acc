package records

import (
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func draft(n int) Workspace {
	return Workspace{
		ID: NewWorkspaceID(), State: contract.StateDraft,
		Business: "Ada's 'Café'", Email: "ada@example.com", Name: "Ada 🙂", Segment: "retail",
		CreatedAt: sample(n).CreatedAt,
	}
}

func addWorkspace(t *testing.T, store *Store, w Workspace) {
	t.Helper()
	expect.Value(store.AddWorkspace(t.Context(), w, Key{}))(t)
}

func (at Options) TestWorkspaces(t *testing.T) {
	store := openAt(t, at)
	expect.Same(t, "of an empty store", []Workspace{}, expect.Value(store.Workspaces(t.Context()))(t))
	older, newer := draft(1), draft(2)
	newer.Name, newer.Segment = "", ""
	newer.Notifications = []Notification{notification(1)}
	for _, w := range []Workspace{newer, older} {
		addWorkspace(t, store, w)
	}
	expect.Same(t, "notifications", newer.Notifications, allNotifications(t, store))
	newer.Notifications = nil
	expect.Same(t, "newest first", []Workspace{newer, older}, expect.Value(openAt(t, at).Workspaces(t.Context()))(t))
}

func (at Options) TestAddWorkspaceWithKey(t *testing.T) {
	store := openAt(t, at)
	key, first := NewKey("Ada@Example.com", "k", Fingerprint("request")), draft(1)
	other := NewKey("ada@example.com", "k", Fingerprint("other"))
	again := func(key Key) (Workspace, error) { return store.AddWorkspace(t.Context(), draft(2), key) }
	stored := func(key Key) (Workspace, error) { return store.WorkspaceByKey(t.Context(), key, longAgo) }
	expect.Value(store.AddWorkspace(t.Context(), first, key))(t)
	expect.Same(t, "the key again", first, expect.Value(again(key))(t))
	expect.Error(t, "the key with another request", expect.ErrorOf(again(other)), ErrKeyReused)
	expect.Same(t, "workspaces", []Workspace{first}, expect.Value(store.Workspaces(t.Context()))(t))
	expect.Same(t, "by another case of the address",
		first, expect.Value(stored(NewKey("ada@EXAMPLE.com", "k", key.Fingerprint)))(t))
	expect.Error(t, "another request", expect.ErrorOf(stored(other)), ErrKeyReused)
	expect.OK(t, store.pruneExpired(t.Context(), first.CreatedAt.Add(contract.KeyLifetime+time.Hour)))
	expect.Error(t, "a pruned key", expect.ErrorOf(stored(key)), ErrNotFound)
}
