package records

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Lease is the right to send the mail of a pending inquiry, for one attempt. Its
// owner is a random word of that attempt, so that an attempt which was overtaken can
// be distinguished from the one that overtook it, even within one process.
//
// The database compares times that are passed in, so that clocks may differ between
// machines by the time that a lease is longer than a delivery.
type Lease struct {
	Owner string
	Until time.Time
}

// Errors of sending or settling an inquiry.
var (
	ErrLeased    = errors.New("its mail is under way")
	ErrSent      = errors.New("its mail was sent")
	ErrLeaseLost = errors.New("another sender holds its lease")
)

// claim makes the one inquiry that the condition chooses pending again under a new
// lease, and returns it, or ErrNotFound. The arguments of the condition begin with $3.
func (s *Store) claim(ctx context.Context, purpose string, lease Lease, condition string, args ...any) (Inquiry,
	error) {
	return result(ctx, s, purpose, func(ctx context.Context, tx *sql.Tx) (Inquiry, error) {
		inq, err := get[Inquiry](ctx, tx, `UPDATE inquiries
			SET state = 'pending', detail = '', settled_at = NULL, lease_owner = $1, lease_until = $2
			WHERE `+condition+` RETURNING `+inquiryColumns, append([]any{lease.Owner, lease.Until.UnixMicro()}, args...)...)
		if err == nil {
			err = startTry(ctx, tx, inq.ID, inq.Lease, time.Now())
		}
		return inq, err
	})
}

// ClaimInquiry takes the lease of an inquiry that was not delivered, that is
// quarantined, or whose delivery was interrupted: it is pending then, and its lease has
// ended. Of any number of callers at once, one gets it. The errors are ErrNotFound, ErrSent,
// and ErrLeased while another holds the lease.
func (s *Store) ClaimInquiry(ctx context.Context, id string, lease Lease, now time.Time) (Inquiry, error) {
	purpose := "claim inquiry " + id
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	inq, err := s.claim(ctx, purpose, lease, `id = $3
		AND (state IN ('failed', 'unknown', 'quarantined') OR (state = 'pending' AND lease_until < $4))`, id, now.UnixMicro())
	if !errors.Is(err, ErrNotFound) {
		return inq, err
	}
	found, err := readInquiry(ctx, s.reads, id)
	switch {
	case err != nil:
	case found.State == Sent:
		err = ErrSent
	default:
		err = ErrLeased // or it was a moment ago
	}
	return Inquiry{}, wrap(err, purpose)
}

// ClaimDue takes the lease of the oldest inquiry whose delivery was interrupted: its lease
// ended before expired. Without one it is the failed inquiry whose retry has been due for
// the longest time at retry; the zero time takes no retry. It returns ErrNotFound when
// there is none. Two callers never get the same.
func (s *Store) ClaimDue(ctx context.Context, lease Lease, expired, retry time.Time) (Inquiry, error) {
	const due = `(state = 'pending' AND lease_until < $3 OR state = 'failed' AND retry_at <= $4)`
	// The outer condition repeats the inner one: PostgreSQL looks at it again once
	// another transaction that had the row has ended.
	return s.claim(ctx, "claim a due inquiry", lease, due+` AND id = (SELECT id FROM inquiries WHERE `+due+`
		ORDER BY state DESC, CASE state WHEN 'pending' THEN created_at ELSE retry_at END, id LIMIT 1)`, expired.UnixMicro(),
		retry.UnixMicro())
}

// RetryFailed makes the mail of every failed inquiry due now.
func (s *Store) RetryFailed(ctx context.Context, now time.Time) error {
	_, err := s.exec(ctx, "retry failed mails", `UPDATE inquiries SET retry_at = $1 WHERE state = 'failed'`,
		now.UnixMicro())
	return err
}

// SettleInquiry records how a try to deliver an inquiry ended: its State, its Detail for
// the owner's eyes, and its RetryAt. It stores the Notifications of the inquiry in the
// same transaction. It returns ErrLeaseLost when the lease of the inquiry is not the
// one in the database, or there is no such inquiry: the attempt that took the lease
// over has sent the mail again, and its outcome counts. The try is recorded in any case.
func (s *Store) SettleInquiry(ctx context.Context, inq Inquiry) error {
	now, settled := time.Now().UnixMicro(), int64(0)
	err := s.change(ctx, "settle inquiry "+inq.ID, func(ctx context.Context, tx *sql.Tx) (err error) {
		settled, err = affected(tx.ExecContext(ctx,
			`UPDATE inquiries SET state = $1, detail = $2, settled_at = $3, retry_at = $4
			WHERE id = $5 AND state = 'pending' AND lease_owner = $6`,
			inq.State, storable(inq.Detail), now, micros(&inq.RetryAt), inq.ID, inq.Lease.Owner))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE tries SET state = $1, detail = $2, ended_at = $3
			WHERE inquiry_id = $4 AND lease_owner = $5 AND ended_at IS NULL`,
			inq.State, storable(inq.Detail), now, inq.ID, inq.Lease.Owner)
		if err != nil || settled == 0 {
			return err
		}
		return storeNotifications(ctx, tx, inq.Notifications)
	})
	if err == nil && settled == 0 {
		err = wrap(ErrLeaseLost, "settle inquiry "+inq.ID)
	}
	return err
}

// Attempt is one try to send the mail of an inquiry. Times are kept to the microsecond.
type Attempt struct {
	InquiryID  string `json:"-"`
	LeaseOwner string `json:"-"`

	StartedAt time.Time `json:"started_at"`
	// zero while it is under way, and when it was interrupted
	EndedAt time.Time `json:"ended_at,omitzero"`
	State   State     `json:"state"`            // of the inquiry after it
	Detail  string    `json:"detail,omitempty"` // why it did not succeed
}

const attemptColumns = `inquiry_id, lease_owner, started_at, ended_at, state, detail`

func (t *Attempt) fields() []any {
	return []any{&t.InquiryID, &t.LeaseOwner, instant{&t.StartedAt}, micros(&t.EndedAt), &t.State, &t.Detail}
}

// attemptTable adds an attempt only to an inquiry that is stored: an export of a part may lack it.
var attemptTable = table[Attempt, *Attempt]{
	kind: "try", id: "inquiry_id",
	page: `SELECT ` + attemptColumns + ` FROM tries WHERE started_at >= $1 AND (started_at, lease_owner) > ($2, $3)
		ORDER BY started_at, lease_owner LIMIT $4`,
	after: func(t *Attempt) []any { return []any{t.StartedAt.UnixMicro(), t.LeaseOwner} },
	line: func(t *Attempt) any {
		return &struct {
			InquiryID *string `json:"inquiry_id"`
			*Attempt
			Lease *string `json:"lease"` // names the attempt
		}{&t.InquiryID, t, &t.LeaseOwner}
	},
	insert: `INSERT INTO tries (` + attemptColumns + `) SELECT id, $2, $3, $4, $5, $6 FROM inquiries WHERE id = $1
		ON CONFLICT DO NOTHING`,
}

// startTry notes that the mail of an inquiry is going to be sent under a lease.
func startTry(ctx context.Context, tx *sql.Tx, inquiryID string, lease Lease, at time.Time) error {
	_, err := attemptTable.add(ctx, tx,
		Attempt{InquiryID: inquiryID, LeaseOwner: lease.Owner, State: Pending, StartedAt: at})
	return err
}

// Tries lists the attempts to send the mail of an inquiry, oldest first. The list is never nil.
func (s *Store) Tries(ctx context.Context, inquiryID string) ([]Attempt, error) {
	all, err := list[Attempt](ctx, s.reads,
		`SELECT `+attemptColumns+` FROM tries WHERE inquiry_id = $1 ORDER BY started_at, lease_owner`, inquiryID)
	return all, wrap(err, "list tries")
}
