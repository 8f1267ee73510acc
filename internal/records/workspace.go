package records

import (
	"context"
	"errors"
	"time"
)

// Workspace is a draft workspace that a trial made. It holds what the requester gave, and
// no account or credential. Times are kept to the microsecond.
type Workspace struct {
	ID        string    `json:"id"`
	State     string    `json:"state"` // contract.StateDraft
	Business  string    `json:"business"`
	Email     string    `json:"email"`
	Name      string    `json:"name,omitempty"`
	Segment   string    `json:"segment,omitempty"`
	CreatedAt time.Time `json:"created_at"`

	// Notifications are stored together with the workspace.
	Notifications []Notification `json:"-"`
}

var workspaceTable = table[Workspace]{
	name:    "workspaces",
	columns: "id, state, business, email, name, segment, created_at",
	fields: func(w *Workspace) []any {
		return []any{&w.ID, &w.State, &w.Business, &w.Email, &w.Name, &w.Segment, instant{&w.CreatedAt}}
	},
	kind: "workspace", id: "id", order: "created_at, id",
}

// NewWorkspaceID returns an id that no one can guess: "wsp_" and 26 letters and
// digits.
func NewWorkspaceID() string { return newID("wsp_") }

// AddWorkspace stores a new workspace with its key, and returns it, or the workspace that has
// the key, by the rules of AddInquiry.
func (s *Store) AddWorkspace(ctx context.Context, w Workspace, key Key) (Workspace, error) {
	err := s.change(ctx, "add workspace", func(tx transaction) error {
		if _, err := workspaceTable.add(tx, w); err != nil {
			return err
		}
		if err := storeNotifications(tx, w.Notifications); err != nil {
			return err
		}
		return workspaceKeys.add(tx, key, w.ID, w.CreatedAt)
	})
	if errors.Is(err, errKeyTaken) {
		return s.WorkspaceByKey(ctx, key, w.CreatedAt)
	}
	return w, err
}

// Workspaces lists all workspaces, newest first. The list is never nil.
func (s *Store) Workspaces(ctx context.Context) ([]Workspace, error) {
	return workspaceTable.list(ctx, s, "list workspaces", `ORDER BY created_at DESC, id DESC`)
}
