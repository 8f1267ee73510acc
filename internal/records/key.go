package records

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Key is an Idempotency-Key as it is stored. It is scoped by the e-mail address of
// its request, and hashed so that a reader of the database cannot use it. The zero
// Key is none.
type Key struct {
	Email       string // folded
	Hash        string
	Fingerprint string // of the request made under the key
}

// NewKey returns the key of a request, by the value of its Idempotency-Key. An empty value is
// no key.
func NewKey(email, value, fingerprint string) Key {
	if value == "" {
		return Key{}
	}
	return Key{Email: contract.FoldAddress(email), Hash: hash([]byte(value)), Fingerprint: fingerprint}
}

// Fingerprint identifies a request by its fields.
func Fingerprint(fields ...string) string { return hash(payload.JSON(fields)) }

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// ErrKeyReused reports that the key was used for another request.
var ErrKeyReused = errors.New("the key was used for another request")

var errKeyTaken = errors.New("another record already has the key")

// keyTable holds the keys of one kind of record.
type keyTable struct{ name, id string }

var (
	inquiryKeys   = keyTable{"inquiry_keys", "inquiry_id"}
	workspaceKeys = keyTable{"workspace_keys", "workspace_id"}
)

// add stores a key with its record, which must be in the database. A key is free again
// contract.KeyLifetime after it was stored; the error of any other is errKeyTaken. The zero
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
		err = errKeyTaken
	}
	return err
}

// byKey returns the record that has a key, unless the key is free again. Errors are
// ErrNotFound, also for the zero key, and ErrKeyReused if the record is of another request.
func byKey[T any](ctx context.Context, s *Store, t keyTable, key Key, now time.Time,
	get func(context.Context, string) (T, error)) (record T, err error) {
	if key == (Key{}) {
		return record, ErrNotFound
	}
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
