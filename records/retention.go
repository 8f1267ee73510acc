package records

import (
	"context"
	"fmt"
	"time"
)

// prunable are the tables whose rows grow old, each with a created_at.
var prunable = []string{"inquiries", "feedback", "questions", "model_calls"}

// Prune deletes what was stored before a point in time, and returns how many rows
// that were. Old rows go table by table: what one run does not reach, the next does.
func (s *Store) Prune(ctx context.Context, before time.Time) (deleted int64, err error) {
	for _, table := range prunable {
		result, err := s.db.ExecContext(ctx, `DELETE FROM `+table+` WHERE created_at < $1`, before.UnixMicro())
		if err != nil {
			return deleted, fmt.Errorf("records: prune %s: %w", table, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return deleted, fmt.Errorf("records: prune %s: %w", table, err)
		}
		deleted += n
	}
	return deleted, nil
}
