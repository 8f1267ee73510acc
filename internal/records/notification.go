package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Notification is one message to one target of the owner: something happened, such as
// an inquiry that came in. It holds no name, address or message. Its State is Pending,
// Sent or Failed. Times are kept to the microsecond.
type Notification struct {
	ID      string // the same at every try, so that a target can recognize a repetition
	Target  string // the name of the target
	Kind    string // what happened
	Subject string // what it happened to: the id of an inquiry, a week, …
	Data    string // JSON object with further facts, or empty

	State  State
	Tries  int       // including the one that is under way
	Detail string    // why the last try did not succeed
	Due    time.Time // of a pending one: when it may be tried next
	Lease  string    // random name of the try that is under way, or empty

	CreatedAt time.Time
	SettledAt time.Time // zero while it is pending
}

// NewNotificationID returns a random id: "ntf_" and 26 letters and digits.
func NewNotificationID() string { return newID("ntf_") }

const notificationColumns = `id, target, kind, subject, data, state, tries, detail, due_at, lease_owner, created_at, settled_at`

// AddNotifications stores new notifications, all or none, and returns how many were
// new: there is one at most for a target, kind and subject.
func (s *Store) AddNotifications(ctx context.Context, notifications []Notification) (added int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		added, err = addNotificationRows(ctx, tx, notifications)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("records: add notifications: %w", err)
	}
	return added, nil
}

func addNotificationRows(ctx context.Context, q querier, notifications []Notification) (added int64, err error) {
	for _, n := range notifications {
		rows, err := affected(q.ExecContext(ctx, `INSERT INTO notifications (`+notificationColumns+`)
			VALUES ($1, $2, $3, $4, $5, 'pending', 0, '', $6, '', $7, NULL) ON CONFLICT (target, kind, subject) DO NOTHING`,
			n.ID, n.Target, n.Kind, n.Subject, storable(n.Data), n.Due.UnixMicro(), n.CreatedAt.UnixMicro()))
		if err != nil {
			return added, err
		}
		added += rows
	}
	return added, nil
}

// ClaimNotification takes the pending notification of a target that has been due for
// the longest time, for one try under the name lease, or returns ErrNotFound. No other
// call returns it before until. Of any number of callers at once one gets it.
func (s *Store) ClaimNotification(ctx context.Context, target, lease string, until, now time.Time) (n Notification, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		// The outer conditions repeat the inner ones, as in ClaimInterrupted.
		rows, err := tx.QueryContext(ctx, `UPDATE notifications SET tries = tries + 1, lease_owner = $1, due_at = $2
			WHERE state = 'pending' AND due_at <= $3 AND id = (
				SELECT id FROM notifications WHERE state = 'pending' AND target = $4 AND due_at <= $3 ORDER BY due_at, id LIMIT 1)
			RETURNING `+notificationColumns, lease, until.UnixMicro(), now.UnixMicro(), target)
		if err != nil {
			return err
		}
		claimed, err := collect(rows, scanNotification)
		if err == nil && len(claimed) == 0 {
			err = ErrNotFound
		}
		if err == nil {
			n = claimed[0]
		}
		return err
	})
	if err != nil {
		return Notification{}, fmt.Errorf("records: claim a notification: %w", err)
	}
	return n, nil
}

// SettleNotification records how a try ended: the State, the Detail and, for one that
// is still pending, when it is Due again. It returns ErrLeaseLost when another try has
// begun meanwhile.
func (s *Store) SettleNotification(ctx context.Context, n Notification) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var settled time.Time
	if n.State != Pending {
		settled = time.Now()
	}
	rows, err := s.exec(ctx, `UPDATE notifications SET state = $1, detail = $2, due_at = $3, settled_at = $4, lease_owner = ''
		WHERE id = $5 AND state = 'pending' AND lease_owner = $6`,
		n.State, storable(n.Detail), n.Due.UnixMicro(), micros(settled), n.ID, n.Lease)
	if err == nil && rows == 0 {
		err = ErrLeaseLost
	}
	if err != nil {
		return fmt.Errorf("records: settle notification %s: %w", n.ID, err)
	}
	return nil
}

// NextNotification returns when the next notification of a target is due, or
// ErrNotFound when none is pending.
func (s *Store) NextNotification(ctx context.Context, target string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var due sql.NullInt64
	err := s.reads.QueryRowContext(ctx, `SELECT MIN(due_at) FROM notifications WHERE state = 'pending' AND target = $1`, target).Scan(&due)
	if err == nil && !due.Valid {
		err = ErrNotFound
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("records: next notification: %w", err)
	}
	return time.UnixMicro(due.Int64).UTC(), nil
}

// ExpireNotifications marks as failed the pending notifications that were stored before
// a point in time and are not being tried, and returns how many. They are left over
// when the setting of their target is removed.
func (s *Store) ExpireNotifications(ctx context.Context, before, now time.Time) (expired int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	expired, err = s.exec(ctx, `UPDATE notifications SET state = 'failed', settled_at = $1, lease_owner = ''
		WHERE state = 'pending' AND created_at < $2 AND due_at <= $1`, now.UnixMicro(), before.UnixMicro())
	if err != nil {
		return 0, fmt.Errorf("records: expire notifications: %w", err)
	}
	return expired, nil
}

// Notifications lists the notifications in the order in which they were stored. The
// list is never nil.
func (s *Store) Notifications(ctx context.Context) ([]Notification, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+notificationColumns+` FROM notifications ORDER BY created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("records: list notifications: %w", err)
	}
	list, err := collect(rows, scanNotification)
	if err != nil {
		return nil, fmt.Errorf("records: list notifications: %w", err)
	}
	return list, nil
}

func scanNotification(rows *sql.Rows) (Notification, error) {
	var n Notification
	var due, created int64
	var settled sql.NullInt64
	err := rows.Scan(&n.ID, &n.Target, &n.Kind, &n.Subject, &n.Data, &n.State, &n.Tries, &n.Detail, &due, &n.Lease, &created, &settled)
	n.Due, n.CreatedAt = time.UnixMicro(due).UTC(), time.UnixMicro(created).UTC()
	if settled.Valid {
		n.SettledAt = time.UnixMicro(settled.Int64).UTC()
	}
	return n, err
}

// CountUnanswered returns how many open questions that no entry answered were last
// asked from since up to before, and how many open ones there are in all.
func (s *Store) CountUnanswered(ctx context.Context, since, before time.Time) (asked, open int, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.reads.QueryRowContext(ctx, `SELECT COALESCE(SUM(CASE WHEN asked_at >= $1 AND asked_at < $2 THEN 1 ELSE 0 END), 0), COUNT(*)
		FROM questions WHERE NOT accepted AND NOT dismissed AND unanswered > 0`, since.UnixMicro(), before.UnixMicro()).Scan(&asked, &open)
	if err != nil {
		return 0, 0, fmt.Errorf("records: count unanswered questions: %w", err)
	}
	return asked, open, nil
}
