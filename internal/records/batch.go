package records

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
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

// ErrDailyRows reports that the day's limit of stored rows is reached.
var ErrDailyRows = errors.New("the daily limit of stored rows is reached")

// Both tables of questions are bounded: when a store has added trimEvery rows to them, and
// once a day, what is beyond maxQuestions rows of each is deleted.
const (
	maxQuestions = 20_000
	trimEvery    = 1000
)

// AddBatch stores a batch, which then survives a power failure. It returns ErrDailyRows and
// stores nothing if all instances together would exceed dailyRows today (UTC).
//
// Feedback with a Key also marks the answer to its question: the answered question if it is
// kept, else a question whose answer did not help.
func (s *Store) AddBatch(ctx context.Context, batch Batch, dailyRows int) error {
	const purpose = "add batch"
	return s.inBackground(ctx, purpose, func(ctx context.Context) error {
		store := func(tx transaction) (int, error) { return addBatch(tx, batch, dailyRows) }
		added, err := result(ctx, s, purpose, store)
		if isDeadlock(err) {
			added, err = result(ctx, s, purpose, store) // nothing was stored, and the other transaction is done
		}
		if err == nil && s.added.Add(int64(added)) >= trimEvery {
			s.added.Store(0)
			_ = s.trim(ctx, maxQuestions) // the batch is stored all the same, and Prune trims too
		}
		return err
	})
}

// addBatch returns how many rows it has added. All instances take the rows in the order of
// their keys, so no two wait for each other.
func addBatch(tx transaction, batch Batch, dailyRows int) (added int, err error) {
	day, stored := DayOf(time.Now()), 0
	err = tx.QueryRowContext(tx.ctx, countOf, day, countRows).Scan(&stored)
	if n := len(batch.Feedback); err == nil && n > 0 && n > dailyRows-stored {
		err = ErrDailyRows
	}
	if err != nil {
		return 0, err
	}
	for _, f := range batch.Feedback {
		f.ID = cmp.Or(f.ID, newID("fbk_"))
		if _, err := feedbackTable.add(tx, f); err != nil {
			return 0, err
		}
	}
	batch.Questions, batch.Answers = slices.Clone(batch.Questions), slices.Clone(batch.Answers) // marks are added to them
	if err := countMarks(tx, &batch); err != nil {
		return 0, err
	}
	added = len(batch.Feedback)
	slices.SortFunc(batch.Answers, func(a, b Answered) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.EntryID, b.EntryID))
	})
	for _, a := range batch.Answers {
		n, err := countAnswer(tx, a, dailyRows-stored-added)
		if err != nil {
			return 0, err
		}
		added += n
	}
	slices.SortFunc(batch.Questions, func(a, b Question) int { return strings.Compare(a.Key, b.Key) })
	for _, q := range batch.Questions {
		n, err := countQuestion(tx, q, dailyRows-stored-added)
		if err != nil {
			return 0, err
		}
		added += n
	}
	if added == 0 {
		return 0, nil
	}
	// Last: its row is locked for all instances, and another one may have taken the room.
	counted, err := tx.exec(countWithin, day, countRows, dailyRows, added)
	if err == nil && counted == 0 {
		err = ErrDailyRows
	}
	return added, err
}

// upsert updates a row, or else inserts it, and returns how many rows that added. Without room
// for a new row it returns ErrDailyRows; without an insert statement it adds none. The
// arguments of the insert statement are args and the text.
func upsert(tx transaction, room int, update, insert string, args []any, text string) (int, error) {
	for {
		n, err := tx.exec(update, args...)
		switch {
		case err != nil || n > 0 || insert == "":
			return 0, err
		case room < 1:
			return 0, ErrDailyRows
		}
		n, err = tx.exec(insert, append(args, text)...)
		if err != nil || n > 0 {
			return int(n), err
		}
		// another instance has just added it
	}
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

// countMarks adds the marks of feedback to the answers that they are about, in the batch or in
// the database. Other unhelpful marks become questions that the content did not answer well.
func countMarks(tx transaction, batch *Batch) error {
	for _, mark := range batch.Feedback {
		if mark.Key == "" {
			continue
		}
		at := batch.answerOf(mark)
		if at < 0 {
			entry, err := markedEntry(tx, mark)
			if err != nil {
				return err
			}
			if entry == "" {
				batch.addUnhelpful(mark)
				continue
			}
			at = len(batch.Answers)
			batch.Answers = append(batch.Answers, Answered{Key: mark.Key, EntryID: entry, LastAt: mark.CreatedAt})
		}
		if mark.Helpful {
			batch.Answers[at].Helpful++
		} else {
			batch.Answers[at].Unhelpful++
		}
	}
	return nil
}

// answerOf returns the index of the answer that a mark is about, or -1.
func (b *Batch) answerOf(mark Feedback) int {
	return slices.IndexFunc(b.Answers, func(a Answered) bool {
		return a.Key == mark.Key && (mark.EntryID == "" || a.EntryID == mark.EntryID)
	})
}

// markedEntry returns the entry of the stored answer that a mark is about, or "".
func markedEntry(tx transaction, mark Feedback) (entryID string, err error) {
	err = tx.QueryRowContext(tx.ctx, `SELECT COALESCE((SELECT entry_id FROM answered
		WHERE question_key = $1 AND ($2 = '' OR entry_id = $2) ORDER BY asked_at DESC LIMIT 1), '')`, mark.Key,
		mark.EntryID).Scan(&entryID)
	return entryID, err
}

// addUnhelpful adds a question whose answer did not help, if its text may be kept.
func (b *Batch) addUnhelpful(mark Feedback) {
	if mark.Helpful || mark.Q == "" {
		return
	}
	at := slices.IndexFunc(b.Questions, func(q Question) bool { return q.Key == mark.Key })
	if at < 0 {
		at = len(b.Questions)
		b.Questions = append(b.Questions, Question{Key: mark.Key, Q: mark.Q, LastAt: mark.CreatedAt})
	}
	q := &b.Questions[at]
	q.Unhelpful++
	if mark.EntryID != "" {
		q.EntryID = mark.EntryID
	}
}
