package records

import (
	"context"
	"database/sql"
	"slices"
)

// countMarks adds the marks of feedback to the answers that they are about, in the batch or in
// the database. Other unhelpful marks become questions that the content did not answer well.
func countMarks(ctx context.Context, tx *sql.Tx, batch *Batch) error {
	for _, mark := range batch.Feedback {
		if mark.Key == "" {
			continue
		}
		at := batch.answerOf(mark)
		if at < 0 {
			entry, err := markedEntry(ctx, tx, mark)
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
func markedEntry(ctx context.Context, tx *sql.Tx, mark Feedback) (entryID string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT COALESCE((SELECT entry_id FROM answered
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
