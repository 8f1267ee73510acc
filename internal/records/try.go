package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Try is one try to send the mail of an inquiry. Times are kept to the microsecond.
type Try struct {
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"` // zero while it is under way, and when it was interrupted
	State     State     `json:"state"`             // of the inquiry after it
	Detail    string    `json:"detail,omitempty"`  // why it did not succeed

	InquiryID  string `json:"-"`
	LeaseOwner string `json:"-"`
}

const tryColumns = `inquiry_id, lease_owner, state, detail, started_at, ended_at`

// addTryRow adds a try, unless it is there already or its inquiry is not.
func addTryRow(ctx context.Context, q querier, try Try) (added int64, err error) {
	return affected(q.ExecContext(ctx, `INSERT INTO tries (`+tryColumns+`)
		SELECT id, $2, $3, $4, $5, $6 FROM inquiries WHERE id = $1
		ON CONFLICT (inquiry_id, lease_owner) DO NOTHING`,
		try.InquiryID, try.LeaseOwner, try.State, try.Detail, try.StartedAt.UnixMicro(), micros(try.EndedAt)))
}

// startTry notes that the mail of an inquiry is going to be sent under a lease.
func startTry(ctx context.Context, q querier, inquiryID string, lease Lease, at time.Time) error {
	_, err := addTryRow(ctx, q, Try{InquiryID: inquiryID, LeaseOwner: lease.Owner, State: Pending, StartedAt: at})
	return err
}

// Tries lists the tries to send the mail of an inquiry, oldest first. Those that were
// made by a version before there was this list are missing. The list is never nil.
func (s *Store) Tries(ctx context.Context, inquiryID string) ([]Try, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+tryColumns+` FROM tries WHERE inquiry_id = $1 ORDER BY started_at, lease_owner`, inquiryID)
	if err != nil {
		return nil, fmt.Errorf("records: list tries: %w", err)
	}
	tries, err := collect(rows, scanTry)
	if err != nil {
		return nil, fmt.Errorf("records: list tries: %w", err)
	}
	return tries, nil
}

func scanTry(rows *sql.Rows) (Try, error) {
	var t Try
	var started int64
	var ended sql.NullInt64
	err := rows.Scan(&t.InquiryID, &t.LeaseOwner, &t.State, &t.Detail, &started, &ended)
	t.StartedAt = time.UnixMicro(started).UTC()
	if ended.Valid {
		t.EndedAt = time.UnixMicro(ended.Int64).UTC()
	}
	return t, err
}
