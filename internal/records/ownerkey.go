package records

import (
	"context"
	"time"
)

// OwnerKeyKind is what a key of the owner opens.
type OwnerKeyKind string

const (
	SignInLink   OwnerKeyKind = "link"    // makes one session
	OwnerSession OwnerKeyKind = "session" // opens the owner's pages
)

// AddOwnerKey stores the hash of a key until it expires.
func (s *Store) AddOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, expires time.Time) error {
	_, err := s.exec(ctx, "add a key of the owner",
		`INSERT INTO owner_keys (key_hash, kind, expires_at) VALUES ($1, $2, $3)`,
		hash, kind, expires.UnixMicro())
	return err
}

// HasOwnerKey reports whether a key is stored that has not expired at now.
func (s *Store) HasOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, now time.Time) (has bool, err error) {
	err = s.read(ctx, "find a key of the owner", []any{&has},
		`SELECT EXISTS (SELECT 1 FROM owner_keys WHERE key_hash = $1 AND kind = $2 AND expires_at > $3)`, hash, kind,
		now.UnixMicro())
	return has, err
}

// UseOwnerKey deletes a key and reports whether it was there and had not expired at now.
// Of several callers with the same key one gets true.
func (s *Store) UseOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, now time.Time) (bool, error) {
	n, err := s.exec(ctx, "use a key of the owner",
		`DELETE FROM owner_keys WHERE key_hash = $1 AND kind = $2 AND expires_at > $3`,
		hash, kind, now.UnixMicro())
	return n == 1, err
}
