package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Names of what is counted by day, in daily_counts.
const (
	countRows   = "rows"   // rows of feedback, questions and answered questions
	countSends  = "sends"  // real sends of inquiries; with a network behind a space, those from there
	countModel  = "model"  // with a client behind a space: calls of the model that it caused
	countNotice = "notice" // with a subject behind a space: notices to the owner
)

const secondsOfDay = 24 * 60 * 60

// dailyCountsKept is for how many days counts are kept.
const dailyCountsKept = 2

// dailyCount is how often something was counted on a day, in days since 1970-01-01 UTC.
func (s *Store) dailyCount(ctx context.Context, day int64, name string) (count int, err error) {
	err = s.reads.QueryRowContext(ctx, `SELECT count FROM daily_counts WHERE day = $1 AND name = $2`, day, name).Scan(&count)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return count, err
}

// countWithin counts one more, unless most were counted on that day.
func countWithin(ctx context.Context, q querier, day int64, name string, most int) (allowed bool, err error) {
	if most <= 0 {
		return false, nil
	}
	n, err := affected(q.ExecContext(ctx, `INSERT INTO daily_counts (day, name, count) VALUES ($1, $2, 1)
		ON CONFLICT (day, name) DO UPDATE SET count = daily_counts.count + 1 WHERE daily_counts.count < $3`, day, name, most))
	return n == 1, err
}

// AddClientModelCall counts one call of the model that a client caused on a day, in
// days since 1970-01-01 UTC, and reports whether it is among the first most ones.
func (s *Store) AddClientModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.inBackground(ctx, func() error {
		return s.change(ctx, "", func(tx *sql.Tx) error {
			allowed, err = countWithin(ctx, tx, day, countModel+" "+client, most)
			return err
		})
	})
	if err != nil {
		return false, fmt.Errorf("records: add model call of a client: %w", err)
	}
	return allowed, nil
}

// FirstNotice reports whether no instance has sent the owner a notice about a subject
// today (UTC), and notes that one is sent now.
func (s *Store) FirstNotice(ctx context.Context, subject string) (first bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		first, err = countWithin(ctx, tx, time.Now().Unix()/secondsOfDay, countNotice+" "+subject, 1)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("records: note a notice: %w", err)
	}
	return first, nil
}

// CountInquiries returns how many inquiries are in a state.
func (s *Store) CountInquiries(ctx context.Context, state State) (count int, err error) {
	err = s.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM inquiries WHERE state = $1`, state).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("records: count inquiries: %w", err)
	}
	return count, nil
}

// Quarantine is what is known of inquiries in quarantine.
type Quarantine struct {
	Count    int
	From, To string // addresses of the mail of one of them; empty when there is none
}

// QuarantinedBetween counts the inquiries that came in from since up to before and are
// in quarantine.
func (s *Store) QuarantinedBetween(ctx context.Context, since, before time.Time) (q Quarantine, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.reads.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(MAX(mail_from), ''), COALESCE(MAX(mail_to), '')
		FROM inquiries WHERE state = 'quarantined' AND created_at >= $1 AND created_at < $2`, since.UnixMicro(), before.UnixMicro()).
		Scan(&q.Count, &q.From, &q.To)
	if err != nil {
		return Quarantine{}, fmt.Errorf("records: count the quarantine: %w", err)
	}
	return q, nil
}

// pruneDailyCounts deletes the counts and the marks of days that are over.
func (s *Store) pruneDailyCounts(ctx context.Context, now time.Time) error {
	today := now.Unix() / secondsOfDay
	_, err := s.exec(ctx, `DELETE FROM daily_counts WHERE day < $1`, today-dailyCountsKept)
	return errors.Join(err, s.pruneMarks(ctx, today))
}
