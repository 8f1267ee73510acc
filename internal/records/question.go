package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Asked is a question that the content did not serve. It is stored as it is given:
// whatever must not be kept has to be masked before.
type Asked struct {
	Key       string // the same for questions that are equal
	Q         string
	Unhelpful bool   // an answer did not help; else there was none
	EntryID   string // of the answer that did not help, when it is known
	At        time.Time
}

// Question is what was asked and not served, with how often. Times are kept to the
// microsecond.
type Question struct {
	Number     int64     `json:"number"`
	Q          string    `json:"q"`
	Unanswered int       `json:"unanswered"`
	Unhelpful  int       `json:"unhelpful"`
	EntryID    string    `json:"entry_id,omitempty"`
	Accepted   bool      `json:"accepted,omitempty"` // it has become an alternate and is on no list
	FirstAt    time.Time `json:"first_at"`
	LastAt     time.Time `json:"last_at"`
}

const questionColumns = `number, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at`

// AddQuestion counts a question. One that was accepted is open again: the content
// has lost it since.
func (s *Store) AddQuestion(ctx context.Context, asked Asked) error {
	unanswered, unhelpful := 1, 0
	if asked.Unhelpful {
		unanswered, unhelpful = 0, 1
	}
	// A number is given out once: rows are marked and not deleted, but for the oldest.
	err := s.changeQuestions(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO questions
		(number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at)
		SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4, $5, false, $6, $6 FROM questions WHERE true
		ON CONFLICT (question_key) DO UPDATE SET
			unanswered = CASE WHEN questions.accepted THEN 0 ELSE questions.unanswered END + excluded.unanswered,
			unhelpful = CASE WHEN questions.accepted THEN 0 ELSE questions.unhelpful END + excluded.unhelpful,
			entry_id = CASE WHEN excluded.entry_id = '' THEN questions.entry_id ELSE excluded.entry_id END,
			accepted = false, asked_at = excluded.asked_at`,
			asked.Key, asked.Q, unanswered, unhelpful, asked.EntryID, asked.At.UnixMicro())
		return err
	})
	if err != nil {
		return fmt.Errorf("records: add question: %w", err)
	}
	return nil
}

// changeQuestions runs a transaction while no other one changes questions: the
// next number is read before it is given out, and rows are changed in any order.
func (s *Store) changeQuestions(ctx context.Context, do func(tx *sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return s.change(ctx, s.dialect.lockQuestions, do)
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
	err := s.changeQuestions(ctx, func(tx *sql.Tx) error {
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
	err := rows.Scan(&q.Number, &q.Q, &q.Unanswered, &q.Unhelpful, &q.EntryID, &q.Accepted, &first, &last)
	q.FirstAt, q.LastAt = time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
	return q, err
}
