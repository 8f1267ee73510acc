package contract

import "time"

// TrialRequest is what start_trial is called with (decisions, MCP).
type TrialRequest struct {
	Business string `json:"business" validate:"required,line,max_business"`
	Email    string `json:"email" validate:"required,address"`
	Name     string `json:"name,omitempty" validate:"line,max_name"`
	Segment  string `json:"segment,omitempty" validate:"line"`
	// DryRun asks for validation and a preview only: no workspace is stored.
	DryRun bool `json:"dry_run,omitempty" validate:"-"`
}

// The names of the trial's fields by what is asked of them.
var (
	TrialRequired = []string{FieldBusiness, FieldEmail}
	TrialOptional = []string{FieldName, FieldSegment, FieldDryRun}
)

// Normalize trims the fields.
func (r *TrialRequest) Normalize() {
	for _, field := range []*string{&r.Business, &r.Email, &r.Name, &r.Segment} {
		*field = CleanLine(*field)
	}
}

// StateDraft is the state of a workspace that nobody has taken over yet: it has
// no account, no credential and nothing live.
const StateDraft = "draft"

// PathWorkspaces is where a draft workspace is found under the address of the
// workspace application: its id follows.
const PathWorkspaces = "/workspaces/"

// Trial is the answer to a trial that was started (decisions, MCP).
type Trial struct {
	WorkspaceID string    `json:"workspace_id"`
	State       string    `json:"state"`
	URL         *string   `json:"url"` // null while no workspace application is set
	CreatedAt   time.Time `json:"created_at"`
	Next        string    `json:"next"`
}

// TrialPreview is the answer to a dry run of start_trial.
type TrialPreview struct {
	OK          bool        `json:"ok"`
	DryRun      bool        `json:"dry_run"`
	WouldCreate WouldCreate `json:"would_create"`
}

// WouldCreate is exactly what would be stored: the normalized fields and the
// state.
type WouldCreate struct {
	State    string `json:"state"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Name     string `json:"name,omitempty"`
	Segment  string `json:"segment,omitempty"`
}
