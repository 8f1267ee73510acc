package records

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
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

// add stores a key with its record, which must be in the database. A key stored
// before since is free again; the error of any other is ErrKeyTaken.
func (t keyTable) add(ctx context.Context, tx *sql.Tx, key Key, id string, created, since time.Time) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM `+t.name+` WHERE email = $1 AND key_hash = $2 AND created_at < $3`,
		key.Email, key.Hash, since.UnixMicro())
	if err != nil {
		return err
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO `+t.name+` (email, key_hash, fingerprint, `+t.id+`, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email, key_hash) DO NOTHING`,
		key.Email, key.Hash, key.Fingerprint, id, created.UnixMicro())
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

// find returns the id of the record that bears a key, if it was stored at since or
// later. Errors are ErrNotFound, and ErrKeyReused if the record is of another
// request.
func (t keyTable) find(ctx context.Context, q querier, key Key, since time.Time) (id string, err error) {
	var fingerprint string
	err = q.QueryRowContext(ctx, `SELECT `+t.id+`, fingerprint FROM `+t.name+`
		WHERE email = $1 AND key_hash = $2 AND created_at >= $3`, key.Email, key.Hash, since.UnixMicro()).Scan(&id, &fingerprint)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", ErrNotFound
	case err != nil:
		return "", err
	case fingerprint != key.Fingerprint:
		return "", ErrKeyReused
	}
	return id, nil
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

// AddInquiryOnce is AddInquiry for an inquiry under a key, which is stored with it.
// Of any number of callers with one key, on all instances, one takes its slot
// and stores its inquiry, and the others get ErrKeyTaken. Of callers whose inquiries
// have the same Equal, one stores its inquiry, and the others get ErrQueued while its
// mail is still to be sent. A key stored before since is free again; the zero key and
// the zero Equal keep no one from storing.
func (s *Store) AddInquiryOnce(ctx context.Context, inq Inquiry, key Key, since time.Time, slot Slot) error {
	err := s.change(ctx, "", func(tx *sql.Tx) error {
		if _, err := addInquiryRow(ctx, tx, inq, ""); err != nil { // first: the key refers to it
			return err
		}
		if inq.Equal != (Key{}) {
			if err := addQueued(ctx, tx, inq, since); err != nil {
				return err
			}
		}
		if key != (Key{}) {
			if err := inquiryKeys.add(ctx, tx, key, inq.ID, inq.CreatedAt, since); err != nil {
				return err
			}
		}
		if err := take(ctx, slot); err != nil {
			return err
		}
		return inq.Limit.count(ctx, tx) // last: its rows are locked for all instances
	})
	if err != nil {
		return fmt.Errorf("records: add inquiry: %w", err)
	}
	return nil
}

// InquiryByKey returns the inquiry that was stored under a key, at since or later.
// Errors are ErrNotFound, and ErrKeyReused if it was stored for another request.
func (s *Store) InquiryByKey(ctx context.Context, key Key, since time.Time) (Inquiry, error) {
	id, err := inquiryKeys.find(ctx, s.reads, key, since)
	if err != nil {
		return Inquiry{}, fmt.Errorf("records: read a key: %w", err)
	}
	return s.Inquiry(ctx, id)
}

// AddWorkspaceOnce is AddWorkspace for a workspace under a key, by the rules of
// AddInquiryOnce.
func (s *Store) AddWorkspaceOnce(ctx context.Context, w Workspace, key Key, since time.Time, slot Slot) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := s.change(ctx, "", func(tx *sql.Tx) error {
		if err := insertWorkspace(ctx, tx, w); err != nil {
			return err
		}
		if err := workspaceKeys.add(ctx, tx, key, w.ID, w.CreatedAt, since); err != nil {
			return err
		}
		return take(ctx, slot)
	})
	if err != nil {
		return fmt.Errorf("records: add workspace: %w", err)
	}
	return nil
}

// WorkspaceByKey returns the workspace that was stored under a key, at since or
// later. Errors are ErrNotFound, and ErrKeyReused if it was stored for another
// request.
func (s *Store) WorkspaceByKey(ctx context.Context, key Key, since time.Time) (Workspace, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	id, err := workspaceKeys.find(ctx, s.reads, key, since)
	if err != nil {
		return Workspace{}, fmt.Errorf("records: read a key: %w", err)
	}
	return s.Workspace(ctx, id)
}

// PruneKeys deletes the keys that were stored before a point in time. Prune deletes
// those of the records that it deletes.
func (s *Store) PruneKeys(ctx context.Context, before time.Time) error {
	for _, table := range []keyTable{inquiryKeys, workspaceKeys} {
		if _, err := s.exec(ctx, `DELETE FROM `+table.name+` WHERE created_at < $1`, before.UnixMicro()); err != nil {
			return fmt.Errorf("records: prune keys: %w", err)
		}
	}
	return nil
}
