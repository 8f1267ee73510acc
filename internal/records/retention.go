package records

import (
	"context"
	"fmt"
	"time"
)

// prunedTables are the tables whose rows grow old, with what identifies a row.
var prunedTables = []struct{ table, key string }{
	{"inquiries", "id"},
	{"feedback", "id"},
	{"questions", "number"},
	{"model_calls", "day"},
	{"workspaces", "id"},
	{"notifications", "id"},
	{"answered", "number"},
}

// prunePage is how many rows one statement deletes: a write never waits longer for it
// than for a few ordinary ones.
const prunePage = 500

// Prune deletes what was stored before a point in time, and returns how many rows
// that were. Each page of rows is a transaction of its own: what one run does not
// reach, the next does. The space of deleted rows is given back to the disk.
func (s *Store) Prune(ctx context.Context, before time.Time) (deleted int64, err error) {
	for _, pruned := range prunedTables {
		n, err := s.prune(ctx, pruned.table, pruned.key, before)
		deleted += n
		if err != nil {
			return deleted, fmt.Errorf("records: prune: %w", err)
		}
	}
	if err := s.pruneDailyCounts(ctx, time.Now()); err != nil {
		return deleted, fmt.Errorf("records: prune: %w", err)
	}
	if err := s.pruneOwner(ctx, time.Now()); err != nil {
		return deleted, fmt.Errorf("records: prune: %w", err)
	}
	if err := s.dialect.vacuum(ctx, s); err != nil {
		return deleted, fmt.Errorf("records: vacuum: %w", err)
	}
	return deleted, nil
}

func (s *Store) prune(ctx context.Context, table, key string, before time.Time) (deleted int64, err error) {
	statement := fmt.Sprintf(`DELETE FROM %s WHERE %s IN (SELECT %[2]s FROM %[1]s WHERE created_at < $1 LIMIT %[3]d)`, table, key, prunePage)
	for {
		var n int64
		err := s.inBackground(ctx, func() (err error) {
			n, err = s.exec(ctx, statement, before.UnixMicro())
			return err
		})
		deleted += n
		if err != nil || n < prunePage {
			return deleted, err
		}
	}
}
