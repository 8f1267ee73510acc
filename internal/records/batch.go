package records

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Batch is what the service notes beside its answers: no caller depends on it, and
// inquiries go before it.
type Batch struct {
	Feedback  []Feedback
	Questions []Question // at most one for each key, with its counts and LastAt
	Answers   []Answered // at most one for each key and entry, likewise; AddBatch counts the marks
}

// Len is how many items a batch has.
func (b Batch) Len() int { return len(b.Feedback) + len(b.Questions) + len(b.Answers) }

// cut leaves so many items: feedback first, then questions.
func (b *Batch) cut(left int) {
	b.Feedback = b.Feedback[:min(len(b.Feedback), left)]
	left -= len(b.Feedback)
	b.Questions = b.Questions[:min(len(b.Questions), left)]
	left -= len(b.Questions)
	b.Answers = b.Answers[:min(len(b.Answers), left)]
}

// ErrDailyRows reports that the day's limit of stored rows is reached.
var ErrDailyRows = errors.New("the limit of rows that are stored in a day is reached")

// Both tables of questions are bounded: when a store has added trimEvery rows to them, and
// once a day, what is beyond maxQuestions rows of each is deleted.
const (
	maxQuestions = 20_000
	trimEvery    = 1000
)

// AddBatch stores a batch in one transaction, while fewer than dailyRows rows were
// added today (UTC) by all instances; a batch that reaches the limit is cut to it.
// Feedback goes first. When AddBatch returns stored items, they survive a power
// failure. The error is ErrDailyRows when items were left out for that reason.
//
// Feedback with a Key also marks the answer to its question, once a day for each client:
// the answered question if it is kept, else a question whose answer did not help.
func (s *Store) AddBatch(ctx context.Context, batch Batch, dailyRows int) (stored int, err error) {
	err = s.inBackground(ctx, "add batch", func(ctx context.Context) error {
		stored, err = s.addBatch(ctx, batch, dailyRows)
		return err
	})
	return stored, err
}

func (s *Store) addBatch(ctx context.Context, batch Batch, dailyRows int) (stored int, err error) {
	now := time.Now()
	var today int
	err = s.reads.QueryRowContext(ctx, `SELECT count FROM day_totals WHERE day = $1 AND name = $2`, dayOf(now), countRows).Scan(&today)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, wrap(err, "add batch")
	}
	var over error
	if left := max(0, dailyRows-today); batch.Len() > left {
		over = wrap(ErrDailyRows, "add batch")
		batch.cut(left)
	}
	if stored = batch.Len(); stored == 0 {
		return 0, over
	}
	var added int
	store := func() error {
		return s.transact(ctx, func(tx *sql.Tx) (err error) {
			added, err = s.addBatchRows(ctx, tx, batch, now)
			return err
		})
	}
	if err = store(); isDeadlock(err) {
		err = store() // nothing was stored, and the other transaction is done
	}
	if err != nil {
		return 0, wrap(err, "add batch")
	}
	return stored, errors.Join(over, s.noteAdded(ctx, dayOf(now), added))
}

// addBatchRows returns how many rows it has added.
func (s *Store) addBatchRows(ctx context.Context, tx *sql.Tx, batch Batch, now time.Time) (added int, err error) {
	for _, f := range batch.Feedback {
		f.ID = cmp.Or(f.ID, newID("fbk_"))
		if _, err := feedback.add(ctx, tx, f, ""); err != nil {
			return 0, err
		}
	}
	batch.Questions, batch.Answers = slices.Clone(batch.Questions), slices.Clone(batch.Answers) // marks are added to them
	marks, err := firstMarks(ctx, tx, batch.Feedback, now)
	if err != nil {
		return 0, err
	}
	if err := countMarks(ctx, tx, &batch, marks); err != nil {
		return 0, err
	}
	answers, err := s.countAnswers(ctx, tx, batch.Answers)
	if err != nil {
		return 0, err
	}
	questions, err := s.countQuestions(ctx, tx, batch.Questions)
	return len(batch.Feedback) + answers + questions, err
}

// noteAdded counts rows after they were committed, so that no instance waits for
// another's transaction, and deletes those beyond the bounds of their tables.
func (s *Store) noteAdded(ctx context.Context, day int64, added int) error {
	if added == 0 {
		return nil
	}
	_, err := s.exec(ctx, "count rows", addCount, day, countRows, added)
	if err == nil && s.added.Add(int64(added)) >= trimEvery {
		s.added.Store(0)
		err = s.trim(ctx, maxQuestions)
	}
	return err
}

// trim deletes what is beyond a number of rows in each table of questions. Those that were
// asked most often stay longest; answered ones that were marked unhelpful stay longer.
func (s *Store) trim(ctx context.Context, most int) (err error) {
	for table, order := range map[string]string{
		"questions": "accepted, unanswered + unhelpful DESC, asked_at DESC",
		"answered":  "dismissed, unhelpful DESC, asked DESC, asked_at DESC",
	} {
		_, failed := s.exec(ctx, "trim "+table, `DELETE FROM `+table+` WHERE number IN (
			SELECT number FROM `+table+` ORDER BY `+order+` LIMIT 1000000 OFFSET $1)`, most)
		err = errors.Join(err, failed)
	}
	return err
}
