package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

func (l Lease) micros() int64 {
	if l.Until.IsZero() {
		return 0
	}
	return l.Until.UnixMicro()
}

func (l *Lease) setMicros(until int64) {
	if until != 0 {
		l.Until = time.UnixMicro(until).UTC()
	}
}

// Errors of sending or settling an inquiry.
var (
	ErrLeased    = errors.New("its mail is under way")
	ErrSent      = errors.New("its mail was sent")
	ErrLeaseLost = errors.New("another sender holds its lease")
)

// claim makes the one inquiry that the condition chooses pending again under a new
// lease, and returns it, or ErrNotFound.
func (s *Store) claim(ctx context.Context, slot Slot, condition string, args ...any) (inq Inquiry, err error) {
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		inq, err = oneInquiry(ctx, tx, `UPDATE inquiries
			SET state = 'pending', detail = '', settled_at = NULL, lease_owner = $1, lease_until = $2 `+
			condition+` RETURNING `+inquiryColumns, args...)
		if err == nil {
			err = startTry(ctx, tx, inq.ID, inq.Lease, time.Now())
		}
		if err != nil {
			return err
		}
		return take(ctx, slot)
	})
	return inq, err
}

// ClaimInquiry takes the lease of an inquiry that was not delivered, that is
// quarantined, or whose delivery was interrupted: it is pending then, and its lease has
// ended. Of any number of callers at once, one takes its slot and gets it. The
// errors are ErrNotFound, ErrSent, ErrLeased while another holds the lease, and that of
// the slot.
func (s *Store) ClaimInquiry(ctx context.Context, id string, lease Lease, now time.Time, slot Slot) (Inquiry, error) {
	inq, err := s.claim(ctx, slot, `WHERE id = $3
		AND (state IN ('failed', 'unknown', 'quarantined') OR (state = 'pending' AND lease_until < $4))`,
		lease.Owner, lease.micros(), id, now.UnixMicro())
	if errors.Is(err, ErrNotFound) {
		err = s.unclaimed(ctx, id)
	}
	if err != nil {
		return Inquiry{}, fmt.Errorf("records: claim inquiry %s: %w", id, err)
	}
	return inq, nil
}

// unclaimed is why an inquiry cannot be claimed.
func (s *Store) unclaimed(ctx context.Context, id string) error {
	inq, err := oneInquiry(ctx, s.reads, `SELECT `+inquiryColumns+` FROM inquiries WHERE id = $1`, id)
	switch {
	case err != nil:
		return err
	case inq.State == Sent:
		return ErrSent
	default:
		return ErrLeased // or it was a moment ago
	}
}

// ClaimInterrupted takes the lease of the oldest inquiry whose delivery was
// interrupted, or is ErrNotFound when there is none. Two callers never get the same.
func (s *Store) ClaimInterrupted(ctx context.Context, lease Lease, now time.Time) (Inquiry, error) {
	// The outer conditions repeat the inner ones: PostgreSQL looks at them again once
	// another transaction that had the row has ended.
	inq, err := s.claim(ctx, nil, `WHERE state = 'pending' AND lease_until < $3 AND id = (
			SELECT id FROM inquiries WHERE state = 'pending' AND lease_until < $3 ORDER BY created_at, id LIMIT 1)`,
		lease.Owner, lease.micros(), now.UnixMicro())
	if err != nil {
		return Inquiry{}, fmt.Errorf("records: claim an interrupted inquiry: %w", err)
	}
	return inq, nil
}
