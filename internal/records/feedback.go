package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Feedback is what a caller thought of an answer. EntryID or Q says which answer;
// the other may be empty.
type Feedback struct {
	Helpful   bool      `json:"helpful"`
	EntryID   string    `json:"entry_id,omitempty"`
	Q         string    `json:"q,omitempty"`
	Comment   string    `json:"comment,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

const feedbackColumns = `helpful, entry_id, q, comment, created_at`

// AddFeedback stores feedback. When it returns nil, it survives a power failure.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `INSERT INTO feedback (id, helpful, entry_id, q, comment, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		newID("fbk_"), f.Helpful, f.EntryID, f.Q, f.Comment, f.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("records: add feedback: %w", err)
	}
	return nil
}

func scanFeedback(rows *sql.Rows) (Feedback, error) {
	var f Feedback
	var created int64
	err := rows.Scan(&f.Helpful, &f.EntryID, &f.Q, &f.Comment, &created)
	f.CreatedAt = time.UnixMicro(created).UTC()
	return f, err
}
