package records

import (
	"context"
	"fmt"
	"time"
)

// prunings delete the rows of each table that grow old.
var prunings = []string{
	`DELETE FROM inquiries WHERE created_at < $1`,
	`DELETE FROM feedback WHERE created_at < $1`,
	`DELETE FROM questions WHERE created_at < $1`,
	`DELETE FROM model_calls WHERE created_at < $1`,
	`DELETE FROM workspaces WHERE created_at < $1`,
}

// Prune deletes what was stored before a point in time, and returns how many rows
// that were. Old rows go table by table: what one run does not reach, the next does.
func (s *Store) Prune(ctx context.Context, before time.Time) (deleted int64, err error) {
	for _, statement := range prunings {
		result, err := s.db.ExecContext(ctx, statement, before.UnixMicro())
		if err != nil {
			return deleted, fmt.Errorf("records: prune: %w", err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return deleted, fmt.Errorf("records: prune: %w", err)
		}
		deleted += n
	}
	return deleted, nil
}
