package records

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// sendersFile is the file of the data folder that every process locks while it
// sends mails.
const sendersFile = "senders.lock"

// How long, and how often, a process asks for its lock. Only another that starts at
// the same moment can be in its way.
const (
	sendersPatience = 5 * time.Second
	sendersPause    = 20 * time.Millisecond
)

// JoinSenders notes, by a lock on a file in the data folder, that this process sends
// mails of the inquiries, until leave is called or the process ends, however it ends.
//
// The first process to come ends all leases: their holders are gone, so what a crash
// interrupted need not wait for their time. While other senders are there, or other
// machines have the database open too, leases end only with their time. So they do after
// an error.
func (s *Store) JoinSenders(ctx context.Context, dir string) (leave func(), err error) {
	if s.server != nil { // other machines may have the database open too
		return func() {}, nil
	}
	lock := flock.New(filepath.Join(dir, sendersFile))
	alone, err := lock.TryLock()
	if err == nil && alone {
		// Between the two locks another may come and end all leases as well: this
		// process has none yet.
		_, ended := s.exec(ctx, "end leases", `UPDATE inquiries SET lease_until = 0 WHERE state = 'pending'`)
		err = errors.Join(ended, lock.Unlock())
	}
	ctx, cancel := context.WithTimeout(ctx, sendersPatience)
	defer cancel()
	// Take the shared lock even after an error, so that the next process does not end this one's leases.
	_, failed := lock.TryRLockContext(ctx, sendersPause)
	// the file is not written: there is nothing to lose
	return func() { _ = lock.Close() }, wrap(errors.Join(err, failed), "join the senders")
}
