package records

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Asked is a question that the content did not answer well, with how often. It is
// stored as it is given: the caller masks what must not be kept.
type Asked struct {
	Key        string // the same for questions that are equal
	Q          string
	Unanswered int       // how often no entry answered
	Unhelpful  int       // how often the answer did not help
	EntryID    string    // of the answer that did not help, when it is known
	At         time.Time // when it was asked last
}

// Question is a question that the content did not answer well, with how often. Times
// are kept to the microsecond.
type Question struct {
	Number     int64     `json:"number"`
	Key        string    `json:"-"` // the same for questions that are equal
	Q          string    `json:"q"`
	Unanswered int       `json:"unanswered"`
	Unhelpful  int       `json:"unhelpful"`
	EntryID    string    `json:"entry_id,omitempty"`
	Accepted   bool      `json:"accepted,omitempty"`  // it has become an alternate and is on no list
	Dismissed  bool      `json:"dismissed,omitempty"` // the owner has taken it off the list for good
	FirstAt    time.Time `json:"first_at"`
	LastAt     time.Time `json:"last_at"`
}

const questionColumns = `number, question_key, q, unanswered, unhelpful, entry_id, accepted, dismissed, created_at, asked_at`

// countAgain is the part of an UPDATE that adds counts to a question, where source is
// the name of the row with the counts. An accepted question that is asked in vain again
// is open again and counted from now: the content has lost it since.
func countAgain(source string) string {
	return strings.ReplaceAll(`
			unanswered = CASE WHEN questions.accepted THEN 0 ELSE questions.unanswered END + SOURCE.unanswered,
			unhelpful = CASE WHEN questions.accepted THEN 0 ELSE questions.unhelpful END + SOURCE.unhelpful,
			entry_id = CASE WHEN SOURCE.entry_id = '' THEN questions.entry_id ELSE SOURCE.entry_id END,
			accepted = false, asked_at = SOURCE.asked_at`, "SOURCE", source)
}

// maxQuestions bounds the rows of questions. Beyond it the questions that were asked
// least often, and of these the oldest, are deleted.
const maxQuestions = 20_000

// trimQuestions deletes the questions beyond the given number of rows.
func (s *Store) trimQuestions(ctx context.Context, most int) error {
	_, err := s.exec(ctx, `DELETE FROM questions WHERE number IN (
		SELECT number FROM questions ORDER BY accepted, unanswered + unhelpful DESC, asked_at DESC LIMIT 1000000 OFFSET $1)`, most)
	return err
}

// Questions lists the open questions by number. The list is never nil.
func (s *Store) Questions(ctx context.Context) ([]Question, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+questionColumns+` FROM questions WHERE NOT accepted AND NOT dismissed ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("records: list questions: %w", err)
	}
	questions, err := collect(rows, scanQuestion)
	if err != nil {
		return nil, fmt.Errorf("records: list questions: %w", err)
	}
	return questions, nil
}

// AcceptQuestions takes questions off the list, until they are asked in vain again.
// Unknown numbers are ignored.
func (s *Store) AcceptQuestions(ctx context.Context, numbers ...int64) error {
	_, err := s.eachNumber(ctx, "accept questions", `UPDATE questions SET accepted = true WHERE number = $1`, numbers)
	return err
}

// DismissQuestions takes questions off the list for good, however often they are asked
// again. Unknown numbers are ignored.
func (s *Store) DismissQuestions(ctx context.Context, numbers ...int64) error {
	_, err := s.eachNumber(ctx, "dismiss questions", `UPDATE questions SET dismissed = true WHERE number = $1`, numbers)
	return err
}

// DeleteQuestions deletes questions and returns how many there were. One that is asked
// in vain again is a new question.
func (s *Store) DeleteQuestions(ctx context.Context, numbers ...int64) (int64, error) {
	return s.eachNumber(ctx, "delete questions", `DELETE FROM questions WHERE number = $1`, numbers)
}

// eachNumber runs a statement for each number in one transaction and returns how many
// rows that changed. The order is always the same, so that two owners never wait for
// each other. An error names the purpose.
func (s *Store) eachNumber(ctx context.Context, purpose, statement string, numbers []int64) (changed int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	numbers = slices.Sorted(slices.Values(numbers))
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		prepared, err := tx.PrepareContext(ctx, statement)
		if err != nil {
			return err
		}
		defer prepared.Close() //nolint:errcheck // it ends with the transaction
		for _, number := range numbers {
			n, err := affected(prepared.ExecContext(ctx, number))
			if err != nil {
				return err
			}
			changed += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("records: %s: %w", purpose, err)
	}
	return changed, nil
}

func scanQuestion(rows *sql.Rows) (Question, error) {
	var q Question
	var first, last int64
	err := rows.Scan(&q.Number, &q.Key, &q.Q, &q.Unanswered, &q.Unhelpful, &q.EntryID, &q.Accepted, &q.Dismissed, &first, &last)
	q.FirstAt, q.LastAt = time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
	return q, err
}
