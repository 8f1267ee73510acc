package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrQueued reports that an equal request is stored whose mail is still to be sent.
var ErrQueued = errors.New("an equal request waits for its mail to be sent")

// addQueued stores the key that an inquiry has in common with equal requests. A key whose inquiry has
// no mail to be sent any more, or that was stored before since, is free again; the
// error of any other is ErrQueued.
func addQueued(ctx context.Context, q querier, inq Inquiry, since time.Time) error {
	key := inq.Equal
	_, err := q.ExecContext(ctx, `DELETE FROM inquiry_keys WHERE email = $1 AND key_hash = $2 AND (created_at < $3 OR inquiry_id NOT IN (
		SELECT id FROM inquiries WHERE state = 'pending' OR (state = 'failed' AND retry_at IS NOT NULL)))`,
		key.Email, key.Hash, since.UnixMicro())
	if err != nil {
		return err
	}
	added, err := affected(q.ExecContext(ctx, `INSERT INTO inquiry_keys (email, key_hash, fingerprint, inquiry_id, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email, key_hash) DO NOTHING`,
		key.Email, key.Hash, key.Fingerprint, inq.ID, inq.CreatedAt.UnixMicro()))
	if err == nil && added == 0 {
		err = ErrQueued
	}
	return err
}

// QueuedInquiry returns the inquiry of an equal request whose mail is still to be sent,
// if that was stored at since or later, or ErrNotFound.
func (s *Store) QueuedInquiry(ctx context.Context, equal Key, since time.Time) (Inquiry, error) {
	inq, err := s.InquiryByKey(ctx, equal, since)
	if err == nil && !inq.Queued() {
		err = fmt.Errorf("records: queued inquiry: %w", ErrNotFound)
	}
	return inq, err
}

// BindKey makes a key the key of an inquiry that is stored. A key stored before since
// is free again; the error of any other is ErrKeyTaken.
func (s *Store) BindKey(ctx context.Context, key Key, id string, since time.Time) error {
	err := s.change(ctx, "", func(tx *sql.Tx) error {
		return inquiryKeys.add(ctx, tx, key, id, time.Now(), since)
	})
	if err != nil {
		return fmt.Errorf("records: bind a key: %w", err)
	}
	return nil
}

// ClaimRetry takes the lease of the failed inquiry whose retry has been due for the
// longest time, or returns ErrNotFound. Two callers never get the same.
func (s *Store) ClaimRetry(ctx context.Context, lease Lease, now time.Time) (Inquiry, error) {
	inq, err := s.claim(ctx, nil, `WHERE state = 'failed' AND retry_at <= $3 AND id = (
			SELECT id FROM inquiries WHERE state = 'failed' AND retry_at <= $3 ORDER BY retry_at, id LIMIT 1)`,
		lease.Owner, lease.micros(), now.UnixMicro())
	if err != nil {
		return Inquiry{}, fmt.Errorf("records: claim a retry: %w", err)
	}
	return inq, nil
}
