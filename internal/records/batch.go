package records

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Batch is what the service notes beside its answers: no caller depends on it, and
// inquiries go before it.
type Batch struct {
	Feedback  []Feedback
	Questions []Asked // at most one for each key
}

// Len is how many items a batch has.
func (b Batch) Len() int { return len(b.Feedback) + len(b.Questions) }

// ErrDailyRows reports that the day's limit of stored rows is reached.
var ErrDailyRows = errors.New("the limit of rows that are stored in a day is reached")

// trimEvery is after how many new questions the store deletes those beyond
// maxQuestions.
const trimEvery = 1000

// AddBatch stores a batch in one transaction, while fewer than dailyRows rows were
// added today (UTC) by all instances; a batch that reaches the limit is cut to it.
// Feedback goes first. When AddBatch returns stored items, they survive a power
// failure. The error is ErrDailyRows when items were left out for that reason.
func (s *Store) AddBatch(ctx context.Context, batch Batch, dailyRows int) (stored int, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = s.inBackground(ctx, func() error {
		stored, err = s.addBatch(ctx, batch, dailyRows)
		return err
	})
	if err != nil {
		err = fmt.Errorf("records: add batch: %w", err)
	}
	return stored, err
}

func (s *Store) addBatch(ctx context.Context, batch Batch, dailyRows int) (stored int, err error) {
	day := time.Now().Unix() / secondsOfDay
	rows, err := s.dailyCount(ctx, day, countRows)
	if err != nil {
		return 0, err
	}
	var over error
	if left := max(0, dailyRows-rows); batch.Len() > left {
		over = ErrDailyRows
		batch.Feedback = batch.Feedback[:min(len(batch.Feedback), left)]
		batch.Questions = batch.Questions[:min(len(batch.Questions), left-len(batch.Feedback))]
	}
	if batch.Len() == 0 {
		return 0, over
	}
	slices.SortFunc(batch.Questions, func(a, b Asked) int { return cmp.Compare(a.Key, b.Key) })
	added := 0
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		added = len(batch.Feedback)
		for _, feedback := range batch.Feedback {
			if _, err := addFeedbackRow(ctx, tx, feedback, ""); err != nil {
				return err
			}
		}
		if len(batch.Questions) == 0 {
			return nil
		}
		n, err := s.dialect.addQuestions(ctx, tx, batch.Questions)
		added += n
		return err
	})
	if err != nil {
		return 0, err
	}
	return batch.Len(), errors.Join(over, s.noteAdded(ctx, day, added, added-len(batch.Feedback)))
}

// noteAdded counts rows after they were committed, so that no instance waits for
// another's transaction.
func (s *Store) noteAdded(ctx context.Context, day int64, rows, questions int) error {
	if rows == 0 {
		return nil
	}
	_, err := s.exec(ctx, `INSERT INTO daily_counts (day, name, count) VALUES ($1, $2, $3)
		ON CONFLICT (day, name) DO UPDATE SET count = daily_counts.count + excluded.count`, day, countRows, rows)
	if err == nil && s.newQuestions.Add(int64(questions)) >= trimEvery {
		s.newQuestions.Store(0)
		err = s.trimQuestions(ctx, maxQuestions)
	}
	return err
}
