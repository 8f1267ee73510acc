package records

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"frontdesk/contract"
)

// Key is an Idempotency-Key as it is stored. It is scoped by the e-mail address of
// its request, and hashed so that a reader of the database cannot use it. The zero
// Key is none.
type Key struct {
	Email       string // folded
	Hash        string
	Fingerprint string // of the request made under the key
}

// NewKey returns the key of a request. Request is the request in a canonical form:
// two requests with the same bytes are the same request.
func NewKey(email, key string, request []byte) Key {
	return Key{Email: contract.FoldAddress(email), Hash: hash([]byte(key)), Fingerprint: hash(request)}
}

// Request identifies the request that was made under the key.
func (k Key) Request() string { return k.Email + " " + k.Hash + k.Fingerprint }

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

var (
	// ErrKeyTaken says that another record bears the key.
	ErrKeyTaken = errors.New("another record bears the key")
	// ErrKeyReused says that the key was used for another request.
	ErrKeyReused = errors.New("the key was used for another request")
)

// keyTable holds the keys of one kind of record.
type keyTable struct{ name, id string }

var (
	inquiryKeys   = keyTable{"inquiry_keys", "inquiry_id"}
	workspaceKeys = keyTable{"workspace_keys", "workspace_id"}
)

// add stores a key with its record, which must be in the database. A key is free again
// contract.KeyLifetime after it was stored; the error of any other is ErrKeyTaken. The zero
// key is not stored.
func (t keyTable) add(ctx context.Context, tx *sql.Tx, key Key, id string, created time.Time) error {
	if key == (Key{}) {
		return nil
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM `+t.name+` WHERE email = $1 AND key_hash = $2 AND created_at < $3`,
		key.Email, key.Hash, created.Add(-contract.KeyLifetime).UnixMicro())
	if err != nil {
		return err
	}
	added, err := affected(tx.ExecContext(ctx, `INSERT INTO `+t.name+` (email, key_hash, fingerprint, `+t.id+`, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email, key_hash) DO NOTHING`,
		key.Email, key.Hash, key.Fingerprint, id, created.UnixMicro()))
	if err == nil && added == 0 {
		err = ErrKeyTaken
	}
	return err
}

// ErrQueued reports that an equal request is stored that is [Inquiry.Queued].
var ErrQueued = errors.New("an equal request waits for its mail to be sent")

// addEqual stores the key that an inquiry has in common with equal requests. A key whose
// inquiry is not [Inquiry.Queued] is free again too; the error of any other is ErrQueued.
// The zero key is not stored.
func addEqual(ctx context.Context, tx *sql.Tx, inq Inquiry) error {
	if inq.Equal == (Key{}) {
		return nil
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM inquiry_keys WHERE email = $1 AND key_hash = $2 AND inquiry_id NOT IN (
		SELECT id FROM inquiries WHERE state IN ('failed', 'pending') AND retry_at IS NOT NULL OR state = 'pending' AND lease_until < $3)`,
		inq.Equal.Email, inq.Equal.Hash, inq.CreatedAt.UnixMicro())
	if err == nil {
		err = inquiryKeys.add(ctx, tx, inq.Equal, inq.ID, inq.CreatedAt)
	}
	if errors.Is(err, ErrKeyTaken) {
		err = ErrQueued
	}
	return err
}

// byKey returns the record that bears a key, unless the key is free again. Errors are
// ErrNotFound, and ErrKeyReused if the record is of another request.
func byKey[T any](ctx context.Context, s *Store, t keyTable, key Key, now time.Time,
	get func(context.Context, string) (T, error)) (record T, err error) {
	var id, fingerprint string
	err = s.read(ctx, "read a key", []any{&id, &fingerprint}, `SELECT `+t.id+`, fingerprint FROM `+t.name+`
		WHERE email = $1 AND key_hash = $2 AND created_at >= $3`, key.Email, key.Hash,
		now.Add(-contract.KeyLifetime).UnixMicro())
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return record, wrap(ErrNotFound, "read a key")
	case err != nil:
		return record, err
	case fingerprint != key.Fingerprint:
		return record, wrap(ErrKeyReused, "read a key")
	}
	return get(ctx, id)
}

// Slot is what a record needs to be stored; limits.Slot is one. It is taken in the
// transaction, once the record's key is claimed: other callers with the key wait for the
// outcome. The error of Take undoes the transaction. A nil Slot admits every record.
type Slot interface {
	Take(ctx context.Context) error
}

func take(ctx context.Context, slot Slot) error {
	if slot == nil {
		return nil
	}
	return slot.Take(ctx)
}

// Claim is what a record needs beside itself to be stored. The zero Claim is nothing.
type Claim struct {
	Key  Key
	Slot Slot
}

// takeEarly takes the slot of a record without a key. No one waits for its outcome, so a
// request that is refused costs the database nothing.
func (c *Claim) takeEarly(ctx context.Context, equal Key) error {
	if c.Key != (Key{}) || equal != (Key{}) {
		return nil
	}
	defer func() { c.Slot = nil }()
	return take(ctx, c.Slot)
}

// InquiryByKey returns the inquiry that was stored under a key, in the contract.KeyLifetime
// before now. Errors are ErrNotFound, and ErrKeyReused if it was stored for another request.
func (s *Store) InquiryByKey(ctx context.Context, key Key, now time.Time) (Inquiry, error) {
	return byKey(ctx, s, inquiryKeys, key, now, s.Inquiry)
}

// WorkspaceByKey returns the workspace that was stored under a key, by the rules of
// InquiryByKey.
func (s *Store) WorkspaceByKey(ctx context.Context, key Key, now time.Time) (Workspace, error) {
	return byKey(ctx, s, workspaceKeys, key, now, s.Workspace)
}

// BindKey makes a key the key of an inquiry that is stored. It is ErrKeyTaken when another
// inquiry has it.
func (s *Store) BindKey(ctx context.Context, key Key, id string) error {
	return s.change(ctx, "bind a key", func(ctx context.Context, tx *sql.Tx) error {
		return inquiryKeys.add(ctx, tx, key, id, time.Now())
	})
}
