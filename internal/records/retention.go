package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"frontdesk/contract"
)

// Retention is how long records are kept.
type Retention struct {
	Records  time.Duration // all kinds
	Answered time.Duration // answered questions, if that is shorter
	Retried  time.Duration // least age at which an inquiry still to be retried is deleted; Records if longer
}

// prunePage is how many rows one statement deletes, so that other writes do not wait long.
const prunePage = 100

// Prune deletes records that are too old at now, and returns how many. It keeps inquiries whose mail is pending, and
// those still to be retried for at least keep.Retried. Each page of rows is a transaction of its own, and an
// error of one step does not stop the others.
func (s *Store) Prune(ctx context.Context, keep Retention, now time.Time) (deleted int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	waiting := fmt.Sprintf(`AND state <> 'pending' AND (retry_at IS NULL OR created_at < %d)`,
		now.Add(-keep.Retried).UnixMicro())
	for _, old := range []struct {
		table, key, condition string
		age                   time.Duration
	}{
		{"inquiries", "id", waiting, keep.Records},
		{"feedback", "id", "", keep.Records},
		{"questions", "number", "", keep.Records},
		{"workspaces", "id", "", keep.Records},
		{"notifications", "id", "", keep.Records},
		{"answered", "number", "", min(keep.Records, keep.Answered)},
		{"changes", "number", "", ChangeAge},
	} {
		n, failed := s.prune(ctx, old.table, old.key, old.condition, now.Add(-old.age))
		deleted, err = deleted+n, errors.Join(err, failed)
	}
	return deleted, errors.Join(err,
		s.inBackground(ctx, "prune", func(ctx context.Context) error { return s.trim(ctx, maxQuestions) }),
		s.pruneExpired(ctx, now),
		s.vacuum(ctx))
}

// vacuum executes the statements of the dialect, and ignores the rows that they return.
func (s *Store) vacuum(ctx context.Context) (err error) {
	for _, statement := range s.dialect.vacuum {
		err = errors.Join(err, s.inBackground(ctx, "vacuum", func(ctx context.Context) error {
			return wrap(untilUnlocked(ctx, func() error {
				return each(ctx, s.db, func(*sql.Rows) error { return nil }, statement)
			}), "vacuum")
		}))
	}
	return err
}

// prune deletes the rows of a table that were stored before a point in time and meet a condition.
func (s *Store) prune(ctx context.Context, table, key, condition string, before time.Time) (deleted int64, err error) {
	statement := fmt.Sprintf(
		`DELETE FROM %s WHERE %s IN (SELECT %[2]s FROM %[1]s WHERE created_at < $1 %[3]s LIMIT %[4]d)`,
		table, key, condition, prunePage)
	for {
		n, err := s.execInBackground(ctx, "prune", statement, before.UnixMicro())
		deleted += n
		if err != nil || n < prunePage {
			return deleted, err
		}
	}
}

// pruneExpired deletes the idempotency keys that are free again, the owner's keys that have expired, and counts that
// are too old.
func (s *Store) pruneExpired(ctx context.Context, now time.Time) (err error) {
	keyEnd := now.Add(-contract.KeyLifetime).UnixMicro()
	for statement, end := range map[string]int64{
		`DELETE FROM inquiry_keys WHERE created_at < $1`:                keyEnd,
		`DELETE FROM workspace_keys WHERE created_at < $1`:              keyEnd,
		`DELETE FROM owner_keys WHERE expires_at <= $1`:                 now.UnixMicro(),
		`DELETE FROM day_totals WHERE day < $1`:                         DayOf(now) - totalsKept,
		`DELETE FROM day_totals WHERE day < $1 AND name LIKE 'limit %'`: DayOf(now) - LimitsKept,
	} {
		_, failed := s.execInBackground(ctx, "prune what has expired", statement, end)
		err = errors.Join(err, failed)
	}
	return err
}
