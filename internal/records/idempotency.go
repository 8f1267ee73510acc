package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Key is an Idempotency-Key as it is kept: by its hash, so that who reads the
// database cannot use it. The zero Key is none.
type Key struct {
	Hash        string
	Fingerprint string // of what is asked for under the key
}

// ErrKeyTaken says that another inquiry bears the key.
var ErrKeyTaken = errors.New("another inquiry bears the key")

// AddInquiryOnce is AddInquiry for an inquiry under a key, which is stored with it.
// Of any number of callers with one key, on all instances, one stores its inquiry,
// and the others get ErrKeyTaken. A key that was stored before since is free again.
func (s *Store) AddInquiryOnce(ctx context.Context, inq Inquiry, key Key, since time.Time) error {
	err := s.change(ctx, "", func(tx *sql.Tx) error { return addInquiryOnce(ctx, tx, inq, key, since) })
	if err != nil {
		return fmt.Errorf("records: add inquiry: %w", err)
	}
	return nil
}

func addInquiryOnce(ctx context.Context, tx *sql.Tx, inq Inquiry, key Key, since time.Time) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM idempotency_keys WHERE key_hash = $1 AND created_at < $2`,
		key.Hash, since.UnixMicro())
	if err != nil {
		return err
	}
	if err := insertInquiry(ctx, tx, inq); err != nil { // first: the key refers to it
		return err
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO idempotency_keys (key_hash, fingerprint, inquiry_id, created_at)
		VALUES ($1, $2, $3, $4) ON CONFLICT (key_hash) DO NOTHING`,
		key.Hash, key.Fingerprint, inq.ID, inq.CreatedAt.UnixMicro())
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrKeyTaken
	}
	return nil
}

// InquiryByKey returns the inquiry that was stored under a key, at since or later,
// and the fingerprint of what was asked for; else ErrNotFound.
func (s *Store) InquiryByKey(ctx context.Context, hash string, since time.Time) (inq Inquiry, fingerprint string, err error) {
	var id string
	err = s.reads.QueryRowContext(ctx, `SELECT inquiry_id, fingerprint FROM idempotency_keys
		WHERE key_hash = $1 AND created_at >= $2`, hash, since.UnixMicro()).Scan(&id, &fingerprint)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return Inquiry{}, "", fmt.Errorf("records: read a key: %w", err)
	}
	inq, err = s.Inquiry(ctx, id)
	return inq, fingerprint, err
}

// PruneKeys deletes the keys that were stored before a point in time. Prune deletes
// those of the inquiries that it deletes.
func (s *Store) PruneKeys(ctx context.Context, before time.Time) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM idempotency_keys WHERE created_at < $1`, before.UnixMicro()); err != nil {
		return fmt.Errorf("records: prune keys: %w", err)
	}
	return nil
}
