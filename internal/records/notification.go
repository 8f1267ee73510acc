package records

import (
	"context"
	"time"
)

// Notification is one message to one target of the owner: something happened, such as
// an inquiry that came in. It holds no name, address or message. Its State is Pending,
// Sent or Failed. Times are kept to the microsecond.
type Notification struct {
	ID      string `json:"id"` // the same at every attempt, so that a target can recognize a repetition
	Target  string `json:"target"`
	Kind    string `json:"kind"`           // what happened
	Subject string `json:"subject"`        // what it happened to: the id of an inquiry, a week, …
	Data    string `json:"data,omitempty"` // JSON object with further facts, or empty

	State  State     `json:"state"`
	Tries  int       `json:"tries"`            // attempts, including the one that is under way
	Detail string    `json:"detail,omitempty"` // why the last attempt failed
	Due    time.Time `json:"due_at"`           // when a pending one may be sent next
	Lease  string    `json:"-"`                // random name of the attempt that is under way, or empty

	CreatedAt time.Time `json:"created_at"`
	SettledAt time.Time `json:"settled_at,omitzero"` // zero while it is pending
}

// NewNotificationID returns a random id: "ntf_" and 26 letters and digits.
func NewNotificationID() string { return newID("ntf_") }

var notificationTable = table[Notification]{
	name:    "notifications",
	columns: "id, target, kind, subject, data, state, tries, detail, due_at, lease_owner, created_at, settled_at",
	fields: func(n *Notification) []any {
		return []any{&n.ID, &n.Target, &n.Kind, &n.Subject, &n.Data, &n.State, &n.Tries, &n.Detail, instant{&n.Due},
			&n.Lease, instant{&n.CreatedAt}, micros(&n.SettledAt)}
	},
	kind: "notification", id: "id", order: "created_at, id",
}

// AddNotifications stores new notifications, all or none. One that has the target, kind and
// subject of a stored one is left out.
func (s *Store) AddNotifications(ctx context.Context, list []Notification) error {
	return s.change(ctx, "add notifications", func(tx transaction) error {
		return storeNotifications(tx, list)
	})
}

func storeNotifications(tx transaction, list []Notification) error {
	for _, n := range list {
		n.State, n.Data = Pending, storable(n.Data)
		if _, err := notificationTable.add(tx, n); err != nil {
			return err
		}
	}
	return nil
}

// ClaimNotification takes the pending notification of a target that has been due for
// the longest time, for one attempt under the name lease, or returns ErrNotFound. No other
// call returns it before until; of concurrent callers only one gets it.
func (s *Store) ClaimNotification(ctx context.Context, target, lease string, until, now time.Time) (Notification,
	error) {
	return result(ctx, s, "claim a notification", func(tx transaction) (Notification, error) {
		// The outer conditions repeat the inner ones, as in ClaimDue.
		return notificationTable.change(tx, `UPDATE notifications SET tries = tries + 1, lease_owner = $1, due_at = $2
			WHERE state = 'pending' AND due_at <= $3 AND id = (SELECT id FROM notifications
				WHERE state = 'pending' AND target = $4 AND due_at <= $3 ORDER BY due_at, id LIMIT 1)`,
			lease, until.UnixMicro(), now.UnixMicro(), target)
	})
}

// SettleNotification records how an attempt ended: the State, the Detail and, for one that
// is still pending, when it is Due again. It returns ErrLeaseLost when another attempt has
// begun since.
func (s *Store) SettleNotification(ctx context.Context, n Notification) error {
	var settled time.Time
	if n.State != Pending {
		settled = time.Now()
	}
	return s.execOne(ctx, "settle notification "+n.ID, ErrLeaseLost, `UPDATE notifications
		SET state = $1, detail = $2, due_at = $3, settled_at = $4, lease_owner = ''
		WHERE id = $5 AND state = 'pending' AND lease_owner = $6`,
		n.State, storable(n.Detail), n.Due.UnixMicro(), micros(&settled), n.ID, n.Lease)
}

// NextNotification returns when the next notification of a target is due, or
// ErrNotFound when none is pending.
func (s *Store) NextNotification(ctx context.Context, target string) (due time.Time, err error) {
	err = s.read(ctx, "next notification", []any{micros(&due)},
		`SELECT MIN(due_at) FROM notifications WHERE state = 'pending' AND target = $1`, target)
	if err == nil && due.IsZero() {
		err = wrap(ErrNotFound, "next notification")
	}
	return due, err
}
