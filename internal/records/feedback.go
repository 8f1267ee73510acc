package records

import (
	"cmp"
	"context"
	"database/sql"
	"time"
)

// Feedback is what a caller thought of an answer. EntryID or Q says which answer;
// the other may be empty.
type Feedback struct {
	ID        string    `json:"id"` // made when it is stored
	Helpful   bool      `json:"helpful"`
	EntryID   string    `json:"entry_id,omitempty"`
	Q         string    `json:"q,omitempty"`
	Comment   string    `json:"comment,omitempty"`
	CreatedAt time.Time `json:"created_at"`

	// Key is that of the question whose answer AddBatch marks with the feedback; empty
	// for none. Client is who gives the feedback: it is never stored, only hashed under
	// a secret of the day, so that its repeated marks count once.
	Key    string `json:"-"`
	Client string `json:"-"`
}

const feedbackColumns = `id, helpful, entry_id, q, comment, created_at`

// addFeedbackRow adds feedback, unless the clause onConflict says otherwise.
func addFeedbackRow(ctx context.Context, tx *sql.Tx, f Feedback, onConflict string) (added int64, err error) {
	return affected(tx.ExecContext(ctx, `INSERT INTO feedback (`+feedbackColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6)`+onConflict,
		cmp.Or(f.ID, newID("fbk_")), f.Helpful, f.EntryID, f.Q, f.Comment, f.CreatedAt.UnixMicro()))
}

func scanFeedback(rows *sql.Rows) (Feedback, error) {
	var f Feedback
	var created int64
	err := rows.Scan(&f.ID, &f.Helpful, &f.EntryID, &f.Q, &f.Comment, &created)
	f.CreatedAt = time.UnixMicro(created).UTC()
	return f, err
}
