package pilot

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Trials starts trials. A trial stores a draft workspace: a record without an account, a
// credential or anything live, until a person at the service turns it into a workspace.
type Trials struct {
	Limits
	Store    *records.Store
	Notifier *notify.Notifier // makes the notifications that are stored with a trial
	Notice   *Notice          // mails the owner about each trial; nil sends no mail
	AppURL   string           // address of the workspace application, without a final slash; may be empty
	Log      zerolog.Logger
}

// Notice is the mail to the owner about a trial.
type Notice struct {
	Mail   func() mailer.Account // whose addresses the mail has
	Sender mailer.Sender
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

// Start stores a draft workspace, and goes on when its caller leaves. The decision is the
// limit's. Errors are rate_limited; internal_error, and then nothing was stored; and
// invalid_request for a key that was used for another request of the same address.
func (t *Trials) Start(ctx context.Context, request contract.TrialRequest, key contract.IdempotencyKey) (contract.Trial,
	limits.Decision, error) {
	ctx = context.WithoutCancel(ctx)
	draft, decision, err := t.start(ctx, request, records.NewKey(request.Email, key.Value,
		records.Fingerprint(request.Business, request.Email, request.Name, request.Segment)))
	if errors.Is(err, records.ErrKeyReused) {
		decision, err = t.refuseReuse(ctx, key)
	}
	if err != nil {
		return contract.Trial{}, decision, err
	}
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
	return trial, decision, nil
}

// start takes the steps of a request that is stored, as Requests.send does. Of all requests
// with one key there is one workspace.
func (t *Trials) start(ctx context.Context, request contract.TrialRequest, key records.Key) (records.Workspace,
	limits.Decision, error) {
	// 1. A trial that is stored needs no slot.
	stored, err := t.Store.WorkspaceByKey(ctx, key, time.Now())
	if !errors.Is(err, records.ErrNotFound) {
		return stored, t.Slots.Peek(ctx), err
	}

	// 2. Take a slot, before anything is stored.
	slot := t.Slots.Take(ctx)
	if !slot.Allowed {
		if key != (records.Key{}) && lookAgain(ctx, func(ctx context.Context) bool {
			stored, err = t.Store.WorkspaceByKey(ctx, key, time.Now())
			return err == nil || errors.Is(err, records.ErrKeyReused)
		}) {
			return stored, t.Slots.Peek(ctx), err
		}
		return stored, slot.Decision, slot.Refusal()
	}

	// 3. Store it.
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
	stored, err = t.Store.AddWorkspace(ctx, draft, key)
	if err == nil && stored.ID != draft.ID || errors.Is(err, records.ErrKeyReused) {
		slot.GiveBack(ctx)
		return stored, slot.Decision, err
	}

	// 4. Tell the owner.
	if err == nil {
		t.Notifier.Wake()
		t.notify(ctx, draft)
	}
	return stored, slot.Decision, err
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

// mail is what the owner reads of a started trial.
func (n *Notice) mail(draft records.Workspace) mailer.Message {
	account := n.Mail()
	return mailer.Message{
		ID:        mailer.MessageID(draft.ID, account.From),
		From:      account.From,
		To:        account.To,
		ReplyName: draft.Name,
		ReplyTo:   draft.Email,
		Subject:   mailer.CleanSubject("Trial started by " + draft.Business),
		Text: "A trial was started. A draft workspace is stored; it has no account and nothing live.\n\n" + table(
			row{"Workspace", draft.ID},
			row{"Business", draft.Business},
			row{"E-mail", draft.Email},
			row{"Name", draft.Name},
			row{"Segment", draft.Segment},
		) + "\n-- \nReply to this mail to answer " + draft.Email + ".\n",
		Date: draft.CreatedAt,
	}
}
