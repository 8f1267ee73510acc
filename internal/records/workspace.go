package records

import (
	"context"
	"database/sql"
	"time"
)

// Workspace is a draft workspace that a trial made: what the requester gave, without
// an account, a credential or anything live. Times are kept to the microsecond.
type Workspace struct {
	ID        string    `json:"id" db:"id,required"`
	State     string    `json:"state" db:"state"` // contract.StateDraft
	Business  string    `json:"business" db:"business"`
	Email     string    `json:"email" db:"email"`
	Name      string    `json:"name,omitempty" db:"name"`
	Segment   string    `json:"segment,omitempty" db:"segment"`
	CreatedAt time.Time `json:"created_at" db:"created_at"`

	// Notifications are stored together with the workspace.
	Notifications []Notification `json:"-"`
}

var workspaces = newTable(table[Workspace]{name: "workspaces", kind: "workspace"})

// NewWorkspaceID returns an id that no one can guess: "wsp_" and 26 letters and
// digits.
func NewWorkspaceID() string { return newID("wsp_") }

// AddWorkspace stores a new workspace with its claim, by the rules of AddInquiry. When it
// returns nil, the workspace survives a power failure.
func (s *Store) AddWorkspace(ctx context.Context, w Workspace, claim Claim) error {
	if err := claim.takeEarly(ctx, Key{}); err != nil {
		return err
	}
	return s.change(ctx, "add workspace", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := workspaces.add(ctx, tx, w, ""); err != nil {
			return err
		}
		if err := storeNotifications(ctx, tx, w.Notifications); err != nil {
			return err
		}
		if err := workspaceKeys.add(ctx, tx, claim.Key, w.ID, w.CreatedAt); err != nil {
			return err
		}
		return take(ctx, claim.Slot)
	})
}

// Workspace returns one workspace, or ErrNotFound.
func (s *Store) Workspace(ctx context.Context, id string) (Workspace, error) {
	w, err := workspaces.get(ctx, s.reads, `WHERE id = $1`, id)
	return w, wrap(err, "read workspace "+id)
}

// Workspaces lists all workspaces, newest first. The list is never nil.
func (s *Store) Workspaces(ctx context.Context) ([]Workspace, error) {
	list, err := workspaces.list(ctx, s.reads, `ORDER BY created_at DESC, id DESC`)
	return list, wrap(err, "list workspaces")
}
