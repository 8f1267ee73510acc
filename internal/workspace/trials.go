// Package workspace is the trial: the draft workspace that start_trial stores
// (contract section 4, decisions, MCP). A draft is a record and nothing more: no
// account, no credential, nothing live. A person at the service makes a workspace
// of it.
package workspace

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/idempotency"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Trials starts trials.
type Trials struct {
	Gate     *idempotency.Gate[contract.Trial]
	Store    *records.Store
	Notifier *notify.Notifier // makes the notifications that are stored with a trial; may be nil
	Notice   *Notice          // mails the owner about each trial; nil sends no mail
	AppURL   string           // address of the workspace application, without a final slash; may be empty
	Log      zerolog.Logger
}

// Notice is the mail to the owner about a trial. Both addresses are the owner's own.
type Notice struct {
	From, To string
	Sender   mailer.Sender
}

// Preview is the answer to a dry run. It stores nothing, notifies no one and takes no
// slot of the limit.
func (t *Trials) Preview(request contract.TrialRequest) contract.TrialPreview {
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

// Start stores a draft workspace. A valid request takes a slot of the limit even if
// the draft cannot be stored; the decision is the limit's. Errors are rate_limited,
// and internal_error when nothing was stored.
//
// With an Idempotency-Key a request makes one workspace, however often it is sent: a
// repetition gets the first answer and takes no slot. A key that was used for another
// request of the same address is an invalid_request.
func (t *Trials) Start(ctx context.Context, request contract.TrialRequest, key contract.IdempotencyKey) (contract.Trial,
	limits.Decision, error) {
	identity := idempotency.Request{
		Key: key, Email: request.Email,
		Fields: []string{request.Business, request.Email, request.Name, request.Segment},
	}
	return t.Gate.Do(ctx, identity, func(ctx context.Context, key records.Key, slot *limits.Slot) (contract.Trial, error) {
		return t.start(ctx, request, key, slot)
	})
}

// start returns the answer to the trial that has the key, or stores a new one.
func (t *Trials) start(ctx context.Context, request contract.TrialRequest, key records.Key,
	slot records.Slot) (contract.Trial, error) {
	if key != (records.Key{}) {
		began := time.Now()
		draft, err := t.Store.WorkspaceByKey(ctx, key, time.Now())
		span.Since(ctx, span.Database, began)
		switch {
		case err == nil:
			return t.trial(draft), nil
		case errors.Is(err, records.ErrKeyReused):
			return contract.Trial{}, err
		case !errors.Is(err, records.ErrNotFound):
			return contract.Trial{}, contract.Internal(err)
		}
	}
	draft := records.Workspace{
		ID:        records.NewWorkspaceID(),
		State:     contract.StateDraft,
		Business:  request.Business,
		Email:     request.Email,
		Name:      request.Name,
		Segment:   request.Segment,
		CreatedAt: time.Now().UTC().Truncate(time.Microsecond), // as records keep it
	}
	draft.Notifications = t.Notifier.Started(draft)
	began := time.Now()
	err := t.Store.AddWorkspace(ctx, draft, records.Claim{Key: key, Slot: slot})
	span.Since(ctx, span.Database, began)
	switch {
	case errors.Is(err, records.ErrKeyTaken):
		return contract.Trial{}, err
	case err != nil:
		return contract.Trial{}, contract.AsError(err)
	}
	t.Notifier.Wake()
	t.notify(ctx, draft)
	return t.trial(draft), nil
}

func (t *Trials) trial(draft records.Workspace) contract.Trial {
	trial := contract.Trial{
		WorkspaceID: draft.ID,
		State:       draft.State,
		CreatedAt:   draft.CreatedAt.Truncate(time.Second),
		Next: "A person at the service looks at the draft and writes to " + draft.Email +
			". Until then it has no account and no credentials, and nothing in it is live.",
	}
	if t.AppURL != "" {
		trial.URL = new(t.AppURL + contract.PathWorkspaces + draft.ID)
	}
	return trial
}

// notify mails the owner. If that fails the trial is still valid: it is stored, and
// the list of workspaces shows it.
func (t *Trials) notify(ctx context.Context, draft records.Workspace) {
	if t.Notice == nil {
		return
	}
	defer span.Since(ctx, span.Mail, time.Now())
	if err := t.Notice.Sender.Send(ctx, t.Notice.mail(draft)); err != nil {
		t.Log.Error().Str("workspace", draft.ID).Err(err).
			Msg("cannot notify the owner of a trial; frontdesk workspaces lists it")
	}
}
