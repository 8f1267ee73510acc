package records

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Asked is a question that the content did not serve, with how often. It is stored as
// it is given: the caller masks what must not be kept.
type Asked struct {
	Key        string // the same for questions that are equal
	Q          string
	Unanswered int       // how often no entry answered
	Unhelpful  int       // how often the answer did not help
	EntryID    string    // of the answer that did not help, when it is known
	At         time.Time // when it was asked last
}

// Question is what was asked and not served, with how often. Times are kept to the
// microsecond.
type Question struct {
	Number     int64     `json:"number"`
	Key        string    `json:"-"` // the same for questions that are equal
	Q          string    `json:"q"`
	Unanswered int       `json:"unanswered"`
	Unhelpful  int       `json:"unhelpful"`
	EntryID    string    `json:"entry_id,omitempty"`
	Accepted   bool      `json:"accepted,omitempty"` // it has become an alternate and is on no list
	FirstAt    time.Time `json:"first_at"`
	LastAt     time.Time `json:"last_at"`
}

const questionColumns = `number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at`

// countAgain is the part of an UPDATE that adds counts to a question, where source is
// the name of the row with the counts. A question that was accepted is open again and
// counted from now: the content has lost it since.
func countAgain(source string) string {
	return strings.ReplaceAll(`
			unanswered = CASE WHEN questions.accepted THEN 0 ELSE questions.unanswered END + SOURCE.unanswered,
			unhelpful = CASE WHEN questions.accepted THEN 0 ELSE questions.unhelpful END + SOURCE.unhelpful,
			entry_id = CASE WHEN SOURCE.entry_id = '' THEN questions.entry_id ELSE SOURCE.entry_id END,
			accepted = false, asked_at = SOURCE.asked_at`, "SOURCE", source)
}

// maxQuestions bounds the rows of questions. Beyond it those that were asked least
// often, and of these the oldest, are deleted.
const maxQuestions = 20_000

// trimQuestions deletes the questions beyond maxQuestions.
func (s *Store) trimQuestions(ctx context.Context, most int) error {
	_, err := s.exec(ctx, `DELETE FROM questions WHERE number IN (
		SELECT number FROM questions ORDER BY accepted, unanswered + unhelpful DESC, asked_at DESC LIMIT 1000000 OFFSET $1)`, most)
	return err
}

// Questions lists the open questions by number. The list is never nil.
func (s *Store) Questions(ctx context.Context) ([]Question, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+questionColumns+` FROM questions WHERE NOT accepted ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("records: list questions: %w", err)
	}
	questions, err := collect(rows, scanQuestion)
	if err != nil {
		return nil, fmt.Errorf("records: list questions: %w", err)
	}
	return questions, nil
}

// AcceptQuestions takes questions off the list.
func (s *Store) AcceptQuestions(ctx context.Context, numbers ...int64) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	numbers = slices.Sorted(slices.Values(numbers)) // two owners never wait for each other
	err := s.change(ctx, "", func(tx *sql.Tx) error {
		for _, number := range numbers {
			if _, err := tx.ExecContext(ctx, `UPDATE questions SET accepted = true WHERE number = $1`, number); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("records: accept questions: %w", err)
	}
	return nil
}

func scanQuestion(rows *sql.Rows) (Question, error) {
	var q Question
	var first, last int64
	err := rows.Scan(&q.Number, &q.Key, &q.Q, &q.Unanswered, &q.Unhelpful, &q.EntryID, &q.Accepted, &first, &last)
	q.FirstAt, q.LastAt = time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
	return q, err
}
