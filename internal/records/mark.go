package records

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
)

// markSecret returns the secret under which the marks of a day are hashed. It is random,
// the same for all instances, and deleted when the day is over: from then on no one can
// find out whose marks they were. The first call of a day deletes the secrets and marks of
// the days before.
func markSecret(ctx context.Context, tx *sql.Tx, day int64) (secret string, err error) {
	first, err := affected(tx.ExecContext(ctx, `INSERT INTO mark_secrets (day, secret) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, day, rand.Text()))
	if err == nil && first > 0 {
		err = pruneMarks(ctx, tx, day)
	}
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT secret FROM mark_secrets WHERE day = $1`, day).Scan(&secret)
	}
	return secret, err
}

// pruneMarks deletes the marks and secrets of the days before the given one.
func pruneMarks(ctx context.Context, tx *sql.Tx, day int64) error {
	_, secrets := tx.ExecContext(ctx, `DELETE FROM mark_secrets WHERE day < $1`, day)
	_, marks := tx.ExecContext(ctx, `DELETE FROM marks WHERE created_at < $1`, day*secondsOfDay*1_000_000)
	return errors.Join(secrets, marks)
}

// markOf identifies the mark of a client on the answer to a question.
func markOf(secret string, f Feedback) string {
	hash := hmac.New(sha256.New, []byte(secret))
	hash.Write([]byte(f.Client + "\x00" + f.Key))
	return hex.EncodeToString(hash.Sum(nil))
}

// firstMarks returns the feedback that marks the answer to a question for the first time
// today, as far as its client is concerned, and notes that it has. Marks take no part in
// the limit of rows: there is at most one for each piece of feedback.
func firstMarks(ctx context.Context, tx *sql.Tx, feedback []Feedback, now time.Time) (first []Feedback, err error) {
	feedback = slices.DeleteFunc(slices.Clone(feedback), func(f Feedback) bool { return f.Key == "" })
	if len(feedback) == 0 {
		return nil, nil
	}
	secret, err := markSecret(ctx, tx, dayOf(now))
	if err != nil {
		return nil, err
	}
	// In the order in which every instance inserts them: no two wait for each other.
	slices.SortStableFunc(feedback, func(a, b Feedback) int { return strings.Compare(markOf(secret, a), markOf(secret, b)) })
	for _, f := range feedback {
		n, err := affected(tx.ExecContext(ctx, `INSERT INTO marks (mark, created_at) VALUES ($1, $2) ON CONFLICT (mark) DO NOTHING`,
			markOf(secret, f), now.UnixMicro()))
		if err != nil {
			return nil, err
		}
		if n > 0 {
			first = append(first, f)
		}
	}
	return first, nil
}

// countMarks adds marks to the answers that they are about, which are those of the batch
// or in the database. Marks of other questions that did not help are returned as questions
// that the content did not answer well.
func countMarks(ctx context.Context, tx *sql.Tx, batch *Batch, marks []Feedback) error {
	for _, mark := range marks {
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

// answerOf is the place of the answer that a mark is about, or -1.
func (b *Batch) answerOf(mark Feedback) int {
	return slices.IndexFunc(b.Answers, func(a Answered) bool {
		return a.Key == mark.Key && (mark.EntryID == "" || a.EntryID == mark.EntryID)
	})
}

// markedEntry is the entry of the stored answer that a mark is about, or empty.
func markedEntry(ctx context.Context, tx *sql.Tx, mark Feedback) (entryID string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT entry_id FROM answered
		WHERE question_key = $1 AND ($2 = '' OR entry_id = $2) ORDER BY asked_at DESC LIMIT 1`, mark.Key, mark.EntryID).Scan(&entryID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return entryID, err
}

// addUnhelpful counts a question whose answer did not help, if its text may be kept.
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
