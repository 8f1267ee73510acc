package records

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Batch is what the service notes beside its answers: no caller depends on it, and
// inquiries go before it.
type Batch struct {
	Feedback  []Feedback
	Questions []Asked  // at most one for each key
	Answers   []Answer // at most one for each key and entry
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

// BatchLimits bound what AddBatch stores.
type BatchLimits struct {
	DailyRows int // rows that all instances may add in a day (UTC)
	Answers   int // rows of answered questions that are kept
}

// ErrDailyRows reports that the day's limit of stored rows is reached.
var ErrDailyRows = errors.New("the limit of rows that are stored in a day is reached")

// trimEvery is after how many new rows of a table, at most, the store deletes those
// beyond its bound.
const trimEvery = 1000

// AddBatch stores a batch in one transaction, while fewer than the limit's rows were
// added today (UTC) by all instances; a batch that reaches the limit is cut to it.
// Feedback goes first. When AddBatch returns stored items, they survive a power
// failure. The error is ErrDailyRows when items were left out for that reason.
//
// Feedback with a Key also marks the answer to its question, once a day for each client:
// the answered question if it is kept, else a question whose answer did not help.
func (s *Store) AddBatch(ctx context.Context, batch Batch, limits BatchLimits) (stored int, err error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	err = s.inBackground(ctx, "add batch", func() error {
		stored, err = s.addBatch(ctx, batch, limits)
		return wrap(err, "add batch")
	})
	return stored, err
}

func (s *Store) addBatch(ctx context.Context, batch Batch, limits BatchLimits) (stored int, err error) {
	now := time.Now()
	var today int
	err = s.reads.QueryRowContext(ctx, `SELECT count FROM day_totals WHERE day = $1 AND name = $2`, dayOf(now), countRows).Scan(&today)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	var over error
	if left := max(0, limits.DailyRows-today); batch.Len() > left {
		over = ErrDailyRows
		batch.cut(left)
	}
	if stored = batch.Len(); stored == 0 {
		return 0, over
	}
	secret := ""
	if slices.ContainsFunc(batch.Feedback, func(f Feedback) bool { return f.Key != "" }) {
		if secret, err = s.markSecret(ctx, dayOf(now)); err != nil {
			return 0, err
		}
	}
	var added addedRows
	store := func() error {
		return s.transact(ctx, func(tx *sql.Tx) (err error) {
			added, err = s.addBatchRows(ctx, tx, batch, secret, now)
			return err
		})
	}
	if err = store(); isDeadlock(err) {
		err = store() // nothing was stored, and the other transaction is done
	}
	if err != nil {
		return 0, err
	}
	return stored, errors.Join(over, s.noteAdded(ctx, dayOf(now), added, limits))
}

// addedRows counts new rows by table.
type addedRows struct{ feedback, questions, answers int }

func (s *Store) addBatchRows(ctx context.Context, tx *sql.Tx, batch Batch, secret string, now time.Time) (added addedRows, err error) {
	for _, f := range batch.Feedback {
		f.ID = cmp.Or(f.ID, newID("fbk_"))
		if _, err := feedback.add(ctx, tx, f, ""); err != nil {
			return added, err
		}
	}
	added.feedback = len(batch.Feedback)
	batch.Questions, batch.Answers = slices.Clone(batch.Questions), slices.Clone(batch.Answers) // marks are added to them
	marks, err := firstMarks(ctx, tx, secret, batch.Feedback, now)
	if err != nil {
		return added, err
	}
	if err := countMarks(ctx, tx, &batch, marks); err != nil {
		return added, err
	}
	if added.answers, err = s.countAnswers(ctx, tx, batch.Answers); err != nil {
		return added, err
	}
	added.questions, err = s.countQuestions(ctx, tx, batch.Questions)
	return added, err
}

// upsert counts how many of some rows are new to a table and stores all of them. Both
// statements read the rows as the JSON array of their argument.
func upsert(ctx context.Context, tx *sql.Tx, rows any, count, store string) (added int, err error) {
	text, err := json.Marshal(rows)
	if err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, count, string(text)).Scan(&added); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, store, string(text))
	return added, err
}

// noteAdded counts rows after they were committed, so that no instance waits for
// another's transaction, and deletes those beyond the bounds of their tables.
func (s *Store) noteAdded(ctx context.Context, day int64, added addedRows, limits BatchLimits) error {
	rows := added.feedback + added.questions + added.answers
	if rows == 0 {
		return nil
	}
	_, err := s.exec(ctx, "count rows", addCount, day, countRows, rows)
	if err == nil && s.newQuestions.Add(int64(added.questions)) >= trimEvery {
		s.newQuestions.Store(0)
		err = s.trimQuestions(ctx, maxQuestions)
	}
	if err == nil && s.newAnswers.Add(int64(added.answers)) > int64(min(trimEvery, limits.Answers/10)) {
		s.newAnswers.Store(0)
		err = s.trimAnswered(ctx, limits.Answers)
	}
	return err
}
