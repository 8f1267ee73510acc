package workspace

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Store keeps draft workspaces; records.Store is one.
type Store interface {
	AddWorkspace(ctx context.Context, workspace records.Workspace) error
}

// Sender delivers a mail; mailer.Transport is one.
type Sender interface {
	Send(ctx context.Context, mail mailer.Message) error
}

// Desk starts trials.
type Desk struct {
	AppURL string // address of the workspace application, without a final slash; may be empty
	Limit  *limits.Limiter
	Store  Store
	Log    zerolog.Logger
	// Notice tells the owner of each trial by mail; nil means that nobody is told.
	Notice *Notice
}

// Notice is how the owner is told of a trial. Both addresses are the owner's own.
type Notice struct {
	From, To string
	Sender   Sender
}

// storeTimeout bounds the write, so that a caller is answered while the database
// is locked or gone.
const storeTimeout = 5 * time.Second

// Preview is the answer to a dry run. It stores nothing, tells nobody and takes no
// slot of the limit.
func (d *Desk) Preview(request contract.TrialRequest) contract.TrialPreview {
	return contract.TrialPreview{
		OK:     true,
		DryRun: true,
		WouldCreate: contract.WouldCreate{
			State:    contract.StateDraft,
			Business: request.Business,
			Email:    request.Email,
			Name:     request.Name,
			Segment:  request.Segment,
		},
	}
}

// Start stores a draft workspace. A valid request takes a slot of the limit also
// when the draft cannot be stored; the decision is the limit's. Errors are
// rate_limited, and internal_error when nothing was stored.
//
// A caller that leaves does not stop it: what was begun is stored, and the owner is
// told.
func (d *Desk) Start(ctx context.Context, request contract.TrialRequest) (contract.Trial, limits.Decision, error) {
	decision := d.Limit.Take(ctx, limits.ClientFrom(ctx))
	if !decision.Allowed {
		return contract.Trial{}, decision, d.Limit.Policy().Exceeded(decision.RetryAfter)
	}
	ctx = context.WithoutCancel(ctx)
	draft := records.Workspace{
		ID:        records.NewWorkspaceID(),
		State:     contract.StateDraft,
		Business:  request.Business,
		Email:     request.Email,
		Name:      request.Name,
		Segment:   request.Segment,
		CreatedAt: time.Now().UTC().Truncate(time.Microsecond), // as records keep it
	}
	if err := d.store(ctx, draft); err != nil {
		return contract.Trial{}, decision, contract.Internal(err)
	}
	d.tell(ctx, draft)
	return d.trial(draft), decision, nil
}

func (d *Desk) store(ctx context.Context, draft records.Workspace) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return d.Store.AddWorkspace(ctx, draft)
}

func (d *Desk) trial(draft records.Workspace) contract.Trial {
	trial := contract.Trial{
		WorkspaceID: draft.ID,
		State:       draft.State,
		CreatedAt:   draft.CreatedAt.Truncate(time.Second),
		Next: "A person at the service looks at the draft and writes to " + draft.Email +
			". Until then it has no account and no credentials, and nothing in it is live.",
	}
	if d.AppURL != "" {
		trial.URL = new(d.AppURL + contract.PathWorkspaces + draft.ID)
	}
	return trial
}

// tell mails the owner. The trial stands whether that works or not: it is stored,
// and the list of workspaces shows it.
func (d *Desk) tell(ctx context.Context, draft records.Workspace) {
	if d.Notice == nil {
		return
	}
	if err := d.Notice.Sender.Send(ctx, d.Notice.mail(draft)); err != nil {
		d.Log.Error().Str("workspace", draft.ID).Err(err).
			Msg("the owner could not be told of a trial; frontdesk workspaces lists it")
	}
}
