package workspace

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Store keeps draft workspaces; records.Store is one.
type Store interface {
	AddWorkspace(ctx context.Context, workspace records.Workspace) error
	AddWorkspaceOnce(ctx context.Context, workspace records.Workspace, key records.Key, since time.Time, admit records.Admit) error
	WorkspaceByKey(ctx context.Context, key records.Key, since time.Time) (records.Workspace, error)
}

// Sender delivers a mail; mailer.Transport is one.
type Sender interface {
	Send(ctx context.Context, mail mailer.Message) error
}

// Notifier makes the notifications to the owner that are stored with a trial;
// notify.Notifier is one.
type Notifier interface {
	Started(workspace records.Workspace) []records.Notification
	Wake() // they are stored
}

// Desk starts trials.
type Desk struct {
	AppURL string // address of the workspace application, without a final slash; may be empty
	Limit  *limits.Limiter
	// KeyReuse counts the refusals of used keys that take no slot of Limit.
	KeyReuse *limits.Limiter
	Store    Store
	Log      zerolog.Logger
	// Notice mails the owner about each trial; nil sends no mail.
	Notice *Notice
	// Notifier makes the notifications that are stored with each trial; nil makes none.
	Notifier Notifier

	once limits.Once[contract.Trial] // for requests under a key
}

// Notice is the mail to the owner about a trial. Both addresses are the owner's own.
type Notice struct {
	From, To string
	Sender   Sender
}

// storeTimeout bounds the write, so that a caller is answered while the database
// is locked or gone.
const storeTimeout = 5 * time.Second

// Preview is the answer to a dry run. It stores nothing, notifies no one and takes no
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

// Start stores a draft workspace. A valid request takes a slot of the limit even if
// the draft cannot be stored; the decision is the limit's. Errors are rate_limited,
// and internal_error when nothing was stored.
//
// With an Idempotency-Key a request makes one workspace, however often it is sent: a
// repetition gets the first answer and takes no slot. A key that was used for another
// request of the same address is an invalid_request.
//
// A request goes on when its caller leaves: the draft is stored and the owner is
// notified.
func (d *Desk) Start(ctx context.Context, request contract.TrialRequest, key contract.IdempotencyKey) (contract.Trial, limits.Decision, error) {
	detached := context.WithoutCancel(ctx)
	if key.Value == "" {
		return d.startNew(detached, request, records.Key{})
	}
	stored := storedKey(request, key)
	trial, decision, err := d.once.Do(ctx, d.Limit, stored.Request(), func() (contract.Trial, limits.Decision, error) {
		return d.startOnce(detached, request, stored)
	})
	if errors.Is(err, records.ErrKeyReused) {
		decision, err = d.Limit.RefuseReuse(ctx, d.KeyReuse, key)
	}
	return trial, decision, err
}

// startOnce gives the first answer again, or stores a new draft.
func (d *Desk) startOnce(ctx context.Context, request contract.TrialRequest, key records.Key) (contract.Trial, limits.Decision, error) {
	for {
		began := time.Now()
		draft, err := d.Store.WorkspaceByKey(ctx, key, keysSince())
		span.Since(ctx, span.Database, began)
		switch {
		case err == nil:
			return d.trial(draft), d.untouched(ctx), nil
		case errors.Is(err, records.ErrKeyReused):
			return contract.Trial{}, d.untouched(ctx), err
		case !errors.Is(err, records.ErrNotFound):
			return contract.Trial{}, d.untouched(ctx), contract.Internal(err)
		}
		trial, decision, err := d.startNew(ctx, request, key)
		if !errors.Is(err, records.ErrKeyTaken) {
			return trial, decision, err
		}
		// Another instance, or a request of another client, stored the key a moment
		// earlier.
	}
}

// startNew takes a slot and stores a draft under its key, if it has one. A key that is
// taken takes no slot.
func (d *Desk) startNew(ctx context.Context, request contract.TrialRequest, key records.Key) (contract.Trial, limits.Decision, error) {
	var decision limits.Decision
	admit := func() error {
		decision = d.Limit.Take(ctx, limits.ClientFrom(ctx))
		if !decision.Allowed {
			return d.Limit.Policy().Exceeded(decision.RetryAfter)
		}
		return nil
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
	if d.Notifier != nil {
		draft.Notifications = d.Notifier.Started(draft)
	}
	err := d.store(ctx, draft, key, admit)
	if decision == (limits.Decision{}) { // neither allowed nor refused
		decision = d.untouched(ctx)
	}
	if err != nil {
		if !errors.Is(err, records.ErrKeyTaken) {
			err = contract.AsError(err)
		}
		return contract.Trial{}, decision, err
	}
	if d.Notifier != nil {
		d.Notifier.Wake()
	}
	d.notify(ctx, draft)
	return d.trial(draft), decision, nil
}

// untouched is the decision for a client that used no slot.
func (d *Desk) untouched(ctx context.Context) limits.Decision {
	return limits.Decision{Allowed: true, Remaining: d.Limit.Remaining(ctx, limits.ClientFrom(ctx))}
}

func (d *Desk) store(ctx context.Context, draft records.Workspace, key records.Key, admit records.Admit) error {
	defer span.Since(ctx, span.Database, time.Now())
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if key != (records.Key{}) {
		return d.Store.AddWorkspaceOnce(ctx, draft, key, keysSince(), admit)
	}
	if err := admit(); err != nil {
		return err
	}
	return d.Store.AddWorkspace(ctx, draft)
}

func keysSince() time.Time { return time.Now().Add(-contract.KeyLifetime) }

func storedKey(request contract.TrialRequest, key contract.IdempotencyKey) records.Key {
	fields := []string{request.Business, request.Email, request.Name, request.Segment}
	return records.NewKey(request.Email, key.Value, payload.JSON(fields))
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

// notify mails the owner. If that fails the trial is still valid: it is stored, and
// the list of workspaces shows it.
func (d *Desk) notify(ctx context.Context, draft records.Workspace) {
	if d.Notice == nil {
		return
	}
	defer span.Since(ctx, span.Mail, time.Now())
	if err := d.Notice.Sender.Send(ctx, d.Notice.mail(draft)); err != nil {
		d.Log.Error().Str("workspace", draft.ID).Err(err).
			Msg("cannot notify the owner of a trial; frontdesk workspaces lists it")
	}
}
