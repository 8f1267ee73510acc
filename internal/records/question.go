package records

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// Question is a question that the content did not answer well, with how often. It is stored
// as given: the caller masks what must not be kept. Times are kept to the microsecond.
type Question struct {
	Number     int64     `json:"number"`
	Key        string    `json:"-"` // the same for equal questions
	Q          string    `json:"q"`
	Unanswered int       `json:"unanswered"`          // how often no entry answered
	Unhelpful  int       `json:"unhelpful"`           // how often the answer did not help
	EntryID    string    `json:"entry_id,omitempty"`  // of the answer that did not help, when it is known
	Accepted   bool      `json:"accepted,omitempty"`  // it has become an alternate and is on no list
	Dismissed  bool      `json:"dismissed,omitempty"` // the owner has taken it off the list
	FirstAt    time.Time `json:"first_at"`
	LastAt     time.Time `json:"last_at"`
}

var questionTable = table[Question]{
	name:    "questions",
	columns: "number, question_key, q, unanswered, unhelpful, entry_id, accepted, dismissed, created_at, asked_at",
	fields: func(q *Question) []any {
		return []any{&q.Number, &q.Key, &q.Q, &q.Unanswered, &q.Unhelpful, &q.EntryID, &q.Accepted, &q.Dismissed,
			instant{&q.FirstAt}, instant{&q.LastAt}}
	},
	kind: "question", id: "key", order: "number",
	line: func(q *Question) any {
		return &struct {
			*Question
			Key *string `json:"key"`
		}{q, &q.Key}
	},
}

// countQuestion counts a question and returns how many rows that added. An accepted question
// that gets no answer again is open again, and its counts start over, because the content no
// longer answers it.
func countQuestion(tx transaction, q Question, room int) (added int, err error) {
	return upsert(tx, room, `UPDATE questions SET
		unanswered = CASE WHEN accepted THEN 0 ELSE unanswered END + $2,
		unhelpful = CASE WHEN accepted THEN 0 ELSE unhelpful END + $3,
		entry_id = CASE WHEN $4 = '' THEN entry_id ELSE $4 END,
		accepted = false, asked_at = $5 WHERE question_key = $1`, `INSERT INTO questions
		(question_key, unanswered, unhelpful, entry_id, created_at, asked_at, q, accepted, dismissed)
		VALUES ($1, $2, $3, $4, $5, $5, $6, false, false) ON CONFLICT (question_key) DO NOTHING`,
		[]any{q.Key, q.Unanswered, q.Unhelpful, q.EntryID, q.LastAt.UnixMicro()}, q.Q)
}

// Questions lists the open questions by number. The list is never nil.
func (s *Store) Questions(ctx context.Context) ([]Question, error) {
	return questionTable.list(ctx, s, "list questions", `WHERE NOT accepted AND NOT dismissed ORDER BY number`)
}

// DismissedQuestions lists the questions that were dismissed, by number. The list is never nil.
func (s *Store) DismissedQuestions(ctx context.Context) ([]Question, error) {
	return questionTable.list(ctx, s, "list dismissed questions", `WHERE dismissed ORDER BY number`)
}

// QuestionAction is what an owner does with questions.
type QuestionAction string

// The actions. A deleted question is a new one when it is asked again.
const (
	Accept  QuestionAction = "accept"  // off the list of unanswered questions, until it is asked in vain again
	Dismiss QuestionAction = "dismiss" // off its list, however often it is asked again
	Reopen  QuestionAction = "restore" // back on its list, with all its counts
	Delete  QuestionAction = "delete"
)

// ActOnQuestions does the same with questions, and returns how many there were. Unknown
// keys are ignored.
func (s *Store) ActOnQuestions(ctx context.Context, action QuestionAction, keys ...string) (int64, error) {
	return actOn(ctx, s, keys, map[QuestionAction]string{
		Accept:  `UPDATE questions SET accepted = true WHERE question_key = $1`,
		Dismiss: `UPDATE questions SET dismissed = true WHERE question_key = $1`,
		Reopen:  `UPDATE questions SET accepted = false, dismissed = false WHERE question_key = $1`,
		Delete:  `DELETE FROM questions WHERE question_key = $1`,
	}[action])
}

// actOn executes a statement for each row that has one of the values. It takes the rows always in the same order, so
// that two owners never wait for each other.
func actOn[T cmp.Ordered](ctx context.Context, s *Store, values []T, statement string) (int64, error) {
	if len(values) == 0 {
		return 0, nil
	}
	return result(ctx, s, "act on questions", func(tx transaction) (changed int64, err error) {
		if statement == "" {
			return 0, errors.New("there is no such action")
		}
		for _, value := range slices.Sorted(slices.Values(values)) {
			n, err := tx.exec(statement, value)
			if err != nil {
				return 0, err
			}
			changed += n
		}
		return changed, nil
	})
}
