package records

import (
	"context"
	"fmt"
	"time"
)

// AddModelCall counts one call of the model on a day, in days since 1970-01-01 UTC,
// and reports whether it is among the first dailyCap ones of all instances. Days
// never run backwards: after a call on a later day, that day is meant, so that a
// clock which is set back gives no call twice. One statement does it all: of any
// number of callers at once exactly dailyCap are allowed.
func (s *Store) AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error) {
	if dailyCap <= 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	// The WHERE shows SQLite that ON CONFLICT is no join
	// (https://sqlite.org/lang_upsert.html, "Parsing Ambiguity").
	err = s.inBackground(ctx, func() error {
		counted, err := s.exec(ctx, `INSERT INTO model_calls (day, calls, created_at)
		SELECT CASE WHEN MAX(day) > $1 THEN MAX(day) ELSE $1 END, 1, $2 FROM model_calls WHERE true
		ON CONFLICT (day) DO UPDATE SET calls = model_calls.calls + 1 WHERE model_calls.calls < $3`,
			day, time.Now().UnixMicro(), dailyCap)
		allowed = counted == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("records: add model call: %w", err)
	}
	return allowed, nil
}

// ModelCalls is how many calls were counted on a day, or on the latest day when that
// is a later one: it is the one that further calls count on.
func (s *Store) ModelCalls(ctx context.Context, day int64) (calls int, err error) {
	err = s.reads.QueryRowContext(ctx, `SELECT COALESCE(SUM(calls), 0) FROM model_calls
		WHERE day = (SELECT MAX(day) FROM model_calls WHERE day >= $1)`, day).Scan(&calls)
	if err != nil {
		return 0, fmt.Errorf("records: model calls: %w", err)
	}
	return calls, nil
}
