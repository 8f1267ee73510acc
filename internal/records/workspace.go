package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Workspace is a draft workspace that a trial made: what the requester gave, without
// an account, a credential or anything live. Times are kept to the microsecond.
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

// NewWorkspaceID returns an id that no one can guess: "wsp_" and 26 letters and
// digits.
func NewWorkspaceID() string { return newID("wsp_") }

const workspaceColumns = `id, state, business, email, name, segment, created_at`

// AddWorkspace stores a new workspace. When it returns nil, the workspace survives
// a power failure.
func (s *Store) AddWorkspace(ctx context.Context, w Workspace) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := s.change(ctx, "", func(tx *sql.Tx) error {
		return insertWorkspace(ctx, tx, w)
	})
	if err != nil {
		return fmt.Errorf("records: add workspace: %w", err)
	}
	return nil
}

func insertWorkspace(ctx context.Context, tx *sql.Tx, w Workspace) error {
	if _, err := addWorkspaceRow(ctx, tx, w, ""); err != nil {
		return err
	}
	_, err := addNotificationRows(ctx, tx, w.Notifications)
	return err
}

// addWorkspaceRow adds a workspace, unless the clause onConflict says otherwise.
func addWorkspaceRow(ctx context.Context, tx *sql.Tx, w Workspace, onConflict string) (added int64, err error) {
	return affected(tx.ExecContext(ctx, `INSERT INTO workspaces (`+workspaceColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`+onConflict,
		w.ID, w.State, w.Business, w.Email, w.Name, w.Segment, w.CreatedAt.UnixMicro()))
}

// Workspace returns one workspace, or ErrNotFound.
func (s *Store) Workspace(ctx context.Context, id string) (Workspace, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+workspaceColumns+` FROM workspaces WHERE id = $1`, id)
	if err != nil {
		return Workspace{}, fmt.Errorf("records: read workspace %s: %w", id, err)
	}
	found, err := collect(rows, scanWorkspace)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Workspace{}, fmt.Errorf("records: read workspace %s: %w", id, err)
	}
	return found[0], nil
}

// Workspaces lists all workspaces, newest first. The list is never nil.
func (s *Store) Workspaces(ctx context.Context) ([]Workspace, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+workspaceColumns+` FROM workspaces ORDER BY created_at DESC, id DESC`)
	if err != nil {
		return nil, fmt.Errorf("records: list workspaces: %w", err)
	}
	workspaces, err := collect(rows, scanWorkspace)
	if err != nil {
		return nil, fmt.Errorf("records: list workspaces: %w", err)
	}
	return workspaces, nil
}

func scanWorkspace(rows *sql.Rows) (Workspace, error) {
	var w Workspace
	var created int64
	err := rows.Scan(&w.ID, &w.State, &w.Business, &w.Email, &w.Name, &w.Segment, &created)
	w.CreatedAt = time.UnixMicro(created).UTC()
	return w, err
}
