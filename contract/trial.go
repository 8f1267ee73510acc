package contract

import "time"

// TrialRequest holds the arguments of start_trial (decisions, MCP).
type TrialRequest struct {
	Business string `json:"business" validate:"required,line,MaxBusiness"`
	Email    string `json:"email" validate:"required,address"`
	Name     string `json:"name,omitempty" validate:"line,MaxName"`
	Segment  string `json:"segment,omitempty" validate:"line"`
	// DryRun asks for validation and a preview only: no workspace is stored.
	DryRun bool `json:"dry_run,omitempty" validate:"-"`
}

// The required and the optional fields of a trial.
var (
	TrialRequired = []string{FieldBusiness, FieldEmail}
	TrialOptional = []string{FieldName, FieldSegment, FieldDryRun}
)

// Normalize trims the fields.
func (r *TrialRequest) Normalize() { cleanLines(&r.Business, &r.Email, &r.Name, &r.Segment) }

// StateDraft is the state of a workspace that no one has taken over: it has no account,
// no credential and nothing live.
const StateDraft = "draft"

// PathWorkspaces begins the path of a draft workspace under the address of the workspace
// application; its id follows.
const PathWorkspaces = "/workspaces/"

// Trial is the answer to a trial that was started (decisions, MCP).
type Trial struct {
	WorkspaceID string    `json:"workspace_id"`
	State       string    `json:"state"`      // no account, no credentials, nothing live
	URL         *string   `json:"url"`        // null while no workspace application is set
	CreatedAt   time.Time `json:"created_at"` // when it was stored (RFC 3339, UTC)
	Next        string    `json:"next"`       // what happens next
}

// TrialPreview is the answer to a dry run of start_trial.
type TrialPreview struct {
	OK          bool        `json:"ok"`
	DryRun      bool        `json:"dry_run"` // true: nothing was stored
	WouldCreate WouldCreate `json:"would_create"`
}

// WouldCreate is exactly what would be stored: the normalized fields and the state.
type WouldCreate struct {
	State    string `json:"state"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Name     string `json:"name,omitempty"`
	Segment  string `json:"segment,omitempty"`
}
