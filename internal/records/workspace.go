package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Workspace is a draft workspace that a trial has made: what the requester gave,
// and no account, credential or anything live. Times are kept to the microsecond.
type Workspace struct {
	ID        string    `json:"id"`
	State     string    `json:"state"` // contract.StateDraft
	Business  string    `json:"business"`
	Email     string    `json:"email"`
	Name      string    `json:"name,omitempty"`
	Segment   string    `json:"segment,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// NewWorkspaceID makes an id that nobody can guess: "wsp_" and 26 letters and
// digits.
func NewWorkspaceID() string { return newID("wsp_") }

const workspaceColumns = `id, state, business, email, name, segment, created_at`

// AddWorkspace stores a new workspace. When it returns nil, the workspace survives
// a power failure.
func (s *Store) AddWorkspace(ctx context.Context, w Workspace) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `INSERT INTO workspaces (`+workspaceColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		w.ID, w.State, w.Business, w.Email, w.Name, w.Segment, w.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("records: add workspace: %w", err)
	}
	return nil
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
